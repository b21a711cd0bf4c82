"""The command line: check, build, serve, fix, new, explain, selfattack. Findings go to stdout, progress to stderr."""

import argparse
import gc
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from linkindex import __version__
from linkindex.load.config import ConfigError, read_config
from linkindex.model import Config, Finding
from linkindex.report import FORMATS, report

CLEAN, FINDINGS, BROKEN = 0, 1, 2
INTERRUPTED, UNREAD = 130, 141  # as a shell says it of signals


def main(arguments: Sequence[str] | None = None) -> int:
    """Exit code 0: clean, 1: findings, 2: wrong use or a configuration that cannot be used."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8", errors="replace")
    options = _parser().parse_args(arguments)
    try:
        code = options.command(read_config(options.root), options)
        sys.stdout.flush()
        return code
    except ConfigError as error:
        print(error, file=sys.stderr)
        return BROKEN
    except OSError as error:
        if isinstance(error, BrokenPipeError) and _nobody_reads():
            return UNREAD
        print(f"a file or folder cannot be used: {error}", file=sys.stderr)
        return BROKEN
    except KeyboardInterrupt:
        return INTERRUPTED


def _nobody_reads() -> bool:
    """Whether the program that read our output has ended, as ``head`` does; the rest is then written nowhere."""
    gone = False
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except BrokenPipeError:
            gone = True
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
    return gone


def _parser() -> argparse.ArgumentParser:
    description = "Link every equation to its code, its test and an example, and prove it."
    parser = argparse.ArgumentParser("linkindex", description=description)
    parser.add_argument("--version", action="version", version=f"linkindex {__version__}")
    folder = "folder of the project's pyproject.toml (default: here)"
    parser.add_argument("--root", type=Path, default=Path("."), help=folder)
    where = argparse.ArgumentParser(add_help=False)
    where.add_argument("--root", type=Path, default=argparse.SUPPRESS, help=folder)  # or what stands before holds
    common = argparse.ArgumentParser(add_help=False, parents=[where])
    common.add_argument("--format", choices=FORMATS, default="text", help="form of the findings (default: text)")
    commands = parser.add_subparsers(required=True, metavar="command")

    links = "check every link; without options: records, examples, tests"
    check = commands.add_parser("check", parents=[common], help=links)
    depth = check.add_mutually_exclusive_group()
    fast = "records, code and formulas only; runs no code of the project"
    depth.add_argument("--fast", action="store_true", help=fast)
    full = "also run mutants, build the site into a temporary folder and check the built pages"
    depth.add_argument("--full", action="store_true", help=full)
    check.set_defaults(command=_check)

    site = "check, then build site/; on failure the last good site stays"
    build = commands.add_parser("build", parents=[common], help=site)
    offline = "also write site-offline/, which can be read without a server"
    build.add_argument("--offline", action="store_true", help=offline)
    build.set_defaults(command=_build)

    serve = commands.add_parser("serve", parents=[common], help="build, serve, and reload when something changes")
    serve.add_argument("--host", default="127.0.0.1")
    serve.add_argument("--port", type=int, default=8000, help="first port to try (default: 8000)")
    serve.set_defaults(command=_serve)

    again = "find again what was moved or renamed, and bring links.lock up to date; shows what would change"
    fix = commands.add_parser("fix", parents=[common], help=again)
    fix.add_argument("--write", action="store_true", help="write it")
    fix.set_defaults(command=_fix)

    files = "write the files of a new page, with a record for each step of some functions"
    new = commands.add_parser("new", help=files).add_subparsers(required=True, metavar="what")
    page = new.add_parser("page", parents=[where], help=files)
    page.add_argument("name", metavar="NAME", help="such as layer-norm: stem of its files, first part of its ids")
    page.add_argument("--from", dest="functions", nargs="+", required=True, metavar="MODULE.FUNCTION")
    page.add_argument("--publish", action="store_true", help="write it beside the other pages, not among the drafts")
    page.set_defaults(command=_new_page)

    explain = commands.add_parser("explain", parents=[where], help="print all that is known of one equation")
    explain.add_argument("id", help="such as attention.scores")
    explain.set_defaults(command=_explain)

    faults = "plant faults in a copy, one at a time: each must be found at its place"
    attack = commands.add_parser("selfattack", parents=[common], help=faults)
    attack.set_defaults(command=_selfattack)
    return parser


def _check(config: Config, options: argparse.Namespace) -> int:
    from linkindex.resolve.prose import doubtful_formulas

    if options.fast:
        from linkindex.fast import check_fast

        gc.disable()  # a short process full of syntax trees: the collector would walk them again and again
        index, findings = check_fast(config)
        gc.freeze()  # nor need it walk them at the end
    elif options.full:
        from linkindex.quiet_gc import collector_paused
        from linkindex.site.build import check_site

        with collector_paused():
            index, findings = check_site(config)
            gc.freeze()  # the process ends: nothing of it need be walked again
    else:
        from linkindex.pipeline import evidence_for

        index, _, _, _, findings = evidence_for(config)
    for warning in doubtful_formulas(index):
        print("warning:", report([warning], "text"), file=sys.stderr)
    return _finish(findings, options, f"{len(index.equations)} equations checked")


def _build(config: Config, options: argparse.Namespace) -> int:
    from linkindex.site.build import build_site

    offline = config.root / "site-offline" if options.offline else None
    done = "built site/ and site-offline/" if options.offline else "built site/"
    return _finish(build_site(config, config.root / "site", offline), options, done)


def _serve(config: Config, options: argparse.Namespace) -> int:
    from linkindex.site.serve import serve

    return serve(config, options.host, options.port)


def _fix(config: Config, options: argparse.Namespace) -> int:
    """Exit code 1 where something is refused, or could be written and --write is not given."""
    from linkindex.fix import difference, plan, write_all

    planned = plan(config)
    print(difference(planned.changes), end="", file=sys.stderr if options.format == "json" else sys.stdout)
    if planned.refusals or options.format == "json":
        print(report(planned.refusals, options.format), flush=True)
    for note in planned.notes:
        print(note, file=sys.stderr)
    changes = (*planned.changes, *planned.kept)
    names = ", ".join(change.path for change in changes)
    if planned.refusals:
        print(f"{len(planned.refusals)} not repaired: nothing is written until these are mended", file=sys.stderr)
        return FINDINGS
    if not names:
        print("everything is in place: nothing to do", file=sys.stderr)
        return CLEAN
    if not options.write:
        print(f"to write with --write: {names}", file=sys.stderr)
        return FINDINGS
    try:
        write_all(config.root, changes)
    except OSError as error:
        print(f"nothing is written: {error}", file=sys.stderr)
        return BROKEN
    print(f"written: {names}", file=sys.stderr)
    return CLEAN


def _new_page(config: Config, options: argparse.Namespace) -> int:
    from linkindex.new import Refused, new_page

    try:
        written = new_page(config, options.name, options.functions, options.publish)
    except Refused as error:
        print(error, file=sys.stderr)
        return BROKEN
    print(f"written: {', '.join(written)}", file=sys.stderr)
    print("next: write what `linkindex check` names as left open; then `linkindex fix --write`", file=sys.stderr)
    return CLEAN


def _explain(config: Config, options: argparse.Namespace) -> int:
    from linkindex.explain import explain
    from linkindex.pipeline import evidence_for

    try:
        print(explain(options.id, evidence_for(config, mutants=True)))
    except KeyError as error:
        print(error.args[0], file=sys.stderr)
        return BROKEN
    return CLEAN


def _selfattack(config: Config, options: argparse.Namespace) -> int:
    from linkindex.selfattack import Unclean, selfattack
    from linkindex.selfattack.report import bar, lines, misses, summary

    try:
        outcomes = selfattack(config, bar)
    except Unclean as error:
        print(error, file=sys.stderr)
        return _finish(error.findings, options, "")
    if options.format == "text":
        print("\n".join(lines(outcomes)))
    print(summary(outcomes), file=sys.stderr)
    return _finish(misses(outcomes), options, "each fault was found")


def _finish(findings: Sequence[Finding], options: argparse.Namespace, done: str) -> int:
    if findings or options.format == "json":
        print(report(findings, options.format))
    print(f"{len(findings)} finding(s)" if findings else done, file=sys.stderr)
    return FINDINGS if findings else CLEAN
