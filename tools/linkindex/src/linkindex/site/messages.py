"""What MkDocs and its plugins say."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def messages_of(name: str, level: int = logging.NOTSET, without: str = "") -> Iterator[list[str]]:
    """What the logger ``name`` and those below it say meanwhile, from a level on; ``without`` one of them."""
    messages: list[str] = []

    class Listener(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            if record.name != without:
                messages.append(record.getMessage())

    listener, logger = Listener(level), logging.getLogger(name)
    logger.addHandler(listener)
    try:
        yield messages
    finally:
        logger.removeHandler(listener)
