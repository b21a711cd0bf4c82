"""Files that say what they are: written whole, and refused with one sentence when they are not what they should be."""

import contextlib
import hashlib
import json
import os
from pathlib import Path

import numpy as np

DEEPEST = 100  # lists and dicts in one another; how many a reader can follow depends on its Python


class FileRefused(ValueError):
    """A file cannot be used. The message says which, what was found and what to do."""


def sha256(data):
    """The SHA-256 of bytes, as 64 hexadecimal digits."""
    return hashlib.sha256(data).hexdigest()


def canonical(value):
    """The one way to write a JSON value as bytes, so that equal values have equal hashes.

    NumPy scalars count as numbers. Raises ValueError for NaN and infinity, which JSON does not have, and TypeError for
    what is no JSON value.
    """
    return _dumps(value, sort_keys=True, separators=(",", ":")).encode("ascii")


def read_back(value):
    """A JSON value as a reader of its file will have it: tuples are lists there, all keys text, NumPy scalars numbers.

    Raises ValueError and TypeError as ``canonical`` does, and ValueError where two keys become the same text or where
    lists and dicts lie in one another more than DEEPEST deep.
    """
    too_deep = ValueError("lists or dicts lie too deep in one another to be read again: save what is flatter")
    try:
        found = json.loads(_dumps(value), object_pairs_hook=_each_once)
    except RecursionError:
        raise too_deep from None
    if _lies_too_deep(found):
        raise too_deep
    return found


def _lies_too_deep(value):
    """Whether a value of JSON has a list or dict inside DEEPEST others."""
    level = [value]
    for _ in range(DEEPEST):
        level = [inner for outer in level if isinstance(outer, (list, dict))
                 for inner in (outer.values() if isinstance(outer, dict) else outer)]
    return any(isinstance(inner, (list, dict)) for inner in level)


def _each_once(pairs):
    """The dict of these pairs."""
    found = dict(pairs)
    if len(found) < len(pairs):
        keys = [key for key, _ in pairs]
        raise ValueError(f"two keys become the same text {next(key for key in keys if keys.count(key) > 1)!r} in JSON: "
                         "name one of them otherwise")
    return found


def write_whole(path, data):
    """Write bytes so that the file holds either all of them or what it held before, also if the process is killed."""
    beside = Path(f"{path}.new")
    with removed_on_error(beside):
        write_through(beside, data)
        os.replace(beside, path)


@contextlib.contextmanager
def removed_on_error(path):
    """Where the system refuses what is done inside, as on a full disk, the file that was begun there is removed."""
    try:
        yield
    except OSError:
        with contextlib.suppress(OSError):
            os.remove(path)
        raise


def write_through(path, data):
    """Write bytes and wait until the disk has them: a replacement must never come before what it stands for."""
    with open(path, "wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())


def read_whole(path, kind):
    """The bytes of a file. Raises FileRefused where it is missing, a folder, or not to be read; kind: what it is."""
    try:
        return Path(path).read_bytes()
    except FileNotFoundError:
        raise FileRefused(f"{path} does not exist: name a {kind}, or make one first") from None
    except OSError as error:
        raise FileRefused(f"{path} cannot be read ({error.strerror}): name a {kind} that can") from None


def sealed(kind, version, content):
    """JSON, as bytes, that says what it is ("format"), in which version, and has the hash of all of it.

    content: a dict of JSON values, without the keys "format", "version" and "sha256". One line for each key. Raises as
    ``read_back`` does: the hash is that of what ``read_sealed`` will read.
    """
    whole = read_back({"format": kind, "version": version, **content})
    whole["sha256"] = sha256(canonical(whole))
    lines = (f"{json.dumps(key)}: {_dumps(value)}" for key, value in whole.items())
    return ("{\n" + ",\n".join(lines) + "\n}\n").encode("ascii")


def read_sealed(path, kind, version):
    """The content of a file that ``sealed`` wrote, without its three keys.

    Raises FileRefused where the file is missing, not to be read, no JSON, of another kind, newer than ``version``, or
    changed.
    """
    path = Path(path)
    whole = _json(path, kind)
    if whole.get("format") != kind:
        raise FileRefused(f"{path} is not a {kind}: its format is {whole.get('format')!r}; name the right file")
    found = whole.get("version")
    if not isinstance(found, int) or found < 1:
        raise FileRefused(f"{path} is damaged: its version is {found!r}, not 1 or more; restore it or make it again")
    if found > version:
        raise FileRefused(f"{path} is newer than this code: it has version {found}, the newest known is {version}; "
                          "update the package")
    seal = whole.pop("sha256", None)
    if seal is None or seal != _hash(whole):
        raise FileRefused(f"{path} is damaged: its content has not the sha256 it states; restore it or make it again")
    return {key: value for key, value in whole.items() if key not in ("format", "version")}


def _hash(whole):
    """The sha256 of a JSON value; None where it has none, because a number of it is infinite or it nests too deep."""
    try:
        return sha256(canonical(whole))
    except (ValueError, RecursionError):
        return None


def _json(path, kind):
    data = read_whole(path, kind)
    try:
        whole = json.loads(data, parse_constant=_no_number)
    except (ValueError, RecursionError) as error:  # no JSON, no text at all, or brackets in brackets without end
        raise FileRefused(f"{path} is damaged or not a {kind}: it is no JSON ({error}); restore it or make it "
                          "again") from None
    if not isinstance(whole, dict):
        raise FileRefused(f"{path} is not a {kind}: it holds no JSON object; name the right file")
    return whole


def _no_number(name):
    raise ValueError(f"{name} is no number of JSON")


def _dumps(value, **options):
    return json.dumps(value, allow_nan=False, default=_plain, **options)


def _plain(value):
    if isinstance(value, np.generic) and not isinstance(value.item(), np.generic):  # Python has no longdouble
        return value.item()
    raise TypeError(f"{type(value).__name__} is no JSON value: use numbers, text, lists and dicts")
