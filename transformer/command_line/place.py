"""The place where a training writes: what may be there before, and that only one training writes there at a time."""

import os
from contextlib import contextmanager
from pathlib import Path

from transformer import resuming
from transformer.command_line.options import WrongUse
from transformer.files import FileRefused

try:
    import fcntl
except ImportError:  # only Unix has it
    fcntl = None


def path_of(options):
    """Where to save, without suffix. Raises WrongUse for what is no name of a file."""
    out = f"trained/{options.task}" if options.out is None else options.out
    stem = out.removesuffix(".json").removesuffix(".npz")
    if stem.endswith(("/", os.sep)) or Path(stem).name in ("", "..") or os.path.isdir(stem):
        raise WrongUse(f"--out: {out!r} names a folder or nothing: name the files to write, without suffix, such as "
                       f"{os.path.join(stem, options.task)}")
    return Path(stem)


def check_place(path, options):
    """Raises WrongUse where something is in the way, or nothing is there to go on with."""
    begun, finished = exists(resuming.unfinished(path)), exists(path)
    files = present(resuming.unfinished(path)) + present(path)
    for file in files:
        if os.path.isdir(file):
            raise WrongUse(f"{path}: {file} is a folder, and a file is to be written there: name another --out")
    if options.resume and not begun:
        raise WrongUse(f"{path}: the training is finished, there is nothing to resume" if finished else
                       f"{path}: no training was begun there: leave out --resume")
    if begun and not (options.resume or options.overwrite):
        raise WrongUse(f"{path}: a training was begun there: go on with --resume, begin again with --overwrite, or "
                       "name another --out")
    if finished and not (options.resume or options.overwrite):
        raise WrongUse(f"{path}: a model is there: train in its place with --overwrite, or name another --out")
    if files and not (options.resume or options.overwrite):
        raise WrongUse(f"{path}: {files[0]} is there, without the record of a training beside it: write in its place "
                       "with --overwrite, or name another --out")


def exists(path):
    """Whether there is a checkpoint, whole or damaged."""
    return os.path.lexists(f"{path}.json")


def present(path):
    """Those of the two files of a checkpoint that are there."""
    return [f"{path}{suffix}" for suffix in (".json", ".npz") if os.path.lexists(f"{path}{suffix}")]


@contextmanager
def writing(path):
    """Raises FileRefused where the system refuses, with an OSError, what is written inside."""
    try:
        yield
    except OSError as error:
        raise FileRefused(f"{path}: cannot write there ({error.strerror}): name another --out") from None


# --- one at a time ---------------------------------------------------------------------------------------------------


@contextmanager
def alone(path):
    """While this lasts, no other training writes to the path; its folder is made where there is none.

    What is held is a lock on path.unfinished.lock, a file with the number of this process. The system lets go of it
    when the process ends, also if it is killed; so the file that is left then is in nobody's way. Raises FileRefused
    where another training holds it, or where nothing can be written. Where the system has no such locks, none is held.
    """
    file = Path(f"{resuming.unfinished(path)}.lock")
    with writing(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        held = locked(file, path)
    try:
        yield
    finally:
        if held is not None:
            file.unlink(missing_ok=True)  # while it is held: then nobody can have taken it over
            os.close(held)


def locked(file, path):
    """The descriptor of the lock file, which is now held by this process; None where the system has no such locks."""
    if fcntl is None:
        return None
    while True:
        held = os.open(file, os.O_RDWR | os.O_CREAT, 0o666)
        try:
            taken(held, file, path)
            if is_at(held, file):
                return held
        except BaseException:
            os.close(held)
            raise
        os.close(held)  # who held it before has removed the file meanwhile


def taken(held, file, path):
    """Take the lock and write the number of this process. Raises FileRefused where another has it."""
    number = os.read(held, 100)
    if number.strip(b"0123456789"):
        raise FileRefused(f"{path}: {file} is there and is not from a training: move it away, or name another --out")
    try:
        fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        other = f" (process {number.decode()})" if number else ""
        raise FileRefused(f"{path}: another training{other} writes there: wait until it ends, or name another "
                          "--out") from None
    except OSError:  # a file system without locks
        pass
    os.truncate(held, 0)
    os.pwrite(held, str(os.getpid()).encode(), 0)


def is_at(held, file):
    """Whether the open file is the one that is there under its name."""
    try:
        return os.path.samestat(os.fstat(held), os.stat(file))
    except FileNotFoundError:
        return False
