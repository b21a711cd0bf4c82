"""Serve the site with live reload."""

import logging
import socket
import sys

from mkdocs.commands.serve import serve as mkdocs_serve
from mkdocs.exceptions import MkDocsException

from linkindex.load.config import ConfigError
from linkindex.model import Config

ATTEMPTS = 20


def serve(config: Config, host: str = "127.0.0.1", port: int = 8000) -> int:
    """Serve until interrupted, then return 0. Takes the next free port if ``port`` is busy, and prints the address."""
    free = free_port(host, port)
    if free != port:
        print(f"port {port} is busy, taking {free}", file=sys.stderr)
    print(f"http://{host}:{free}/", flush=True)
    _log_to_stderr()
    try:
        mkdocs_serve(config_file=str(config.root / "mkdocs.yml"), dev_addr=f"{host}:{free}", strict=False)
    except MkDocsException as error:
        raise ConfigError(f"mkdocs.yml: {error}") from error
    return 0


def free_port(host: str, port: int) -> int:
    """The first port from ``port`` on that can be bound. Raises OSError when none of the next twenty can."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    for candidate in range(port, min(port + ATTEMPTS, 65536)):
        with socket.socket(family, socket.SOCK_STREAM) as probe:
            if sys.platform != "win32":  # there the option would share a busy port
                probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind((host, candidate))
            except OSError:
                continue
            return candidate
    raise OSError(f"no free port on {host} from {port} to {port + ATTEMPTS - 1}: name another one")


def _log_to_stderr() -> None:
    logger = logging.getLogger("mkdocs")
    if not logger.handlers:
        handler = logging.StreamHandler(sys.stderr)
        handler.setFormatter(logging.Formatter("%(levelname)s  %(message)s"))
        logger.addHandler(handler)
        logger.setLevel(logging.INFO)
