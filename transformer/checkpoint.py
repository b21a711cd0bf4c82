"""Checkpoints: the arrays of a model in an ``.npz`` file without pickle, and beside it a JSON file of their provenance.

The JSON file names the arrays by their sha256, so that the two belong together or are refused. Replacing it is the one
moment at which a new pair takes the place of the old: a save that is killed before leaves the old pair, one that is
killed after leaves the new one.
"""

import errno
import io
import os
import zipfile
from dataclasses import asdict, dataclass, field
from pathlib import Path

import numpy as np

from transformer.files import (FileRefused, read_back, read_sealed, read_whole, removed_on_error, sealed,
                               sha256, write_through, write_whole)
from transformer.provenance import code_hashes, combined, differences, versions

KIND, VERSION = "transformer checkpoint", 1


@dataclass(frozen=True)
class Provenance:
    """Where the arrays come from. All values are JSON values; tuples come back as lists, keys as text."""

    configuration: dict                              # all that the training was asked for
    seed: int
    data_sha256: str                                 # of the data: a file, or what a rule made
    code: dict                                       # what training reached: function -> hash, from code_hashes
    curve: list                                      # one dict for each measured step
    versions: dict = field(default_factory=versions)
    progress: dict = field(default_factory=dict)     # what resuming needs beside the arrays: the step, states of rngs
    measures: dict = field(default_factory=dict)     # of the finished model, on data that training does not see
    writing: dict = field(default_factory=dict)      # as code, but what measuring and writing reached


KINDS = {"configuration": dict, "seed": int, "data_sha256": str, "code": dict, "curve": list, "versions": dict,
         "progress": dict, "measures": dict, "writing": dict}
LATER = {"progress": {}, "measures": {}, "writing": {}}  # for a record of a time when there was no such entry


@dataclass(frozen=True)
class Checkpoint:
    arrays: dict            # name -> array
    provenance: Provenance


def save(path, arrays, provenance):
    """Write the pair path.npz and path.json; whenever the process is killed, a whole pair is left.

    path: without suffix. arrays: dict from name to array. Equal arguments give equal bytes. What ``load`` would refuse
    is not saved: raises TypeError for an array of objects, a value that is no JSON, or an entry of the wrong kind,
    ValueError for NaN in the provenance, two keys that are one as text, or an array that would not be read under its
    name. OSError where nothing can be written. After all of these the old pair is as it was, and nothing beside it.
    """
    data = npz_bytes(arrays)
    entries = read_back(asdict(provenance))
    if wrong := _wrong_entry(entries):
        raise TypeError(f"the provenance has {wrong}: load would refuse it")
    content = {**entries, "code_sha256": combined(entries["code"]), "arrays_sha256": sha256(data),
               "arrays": _stated(_arrays_of(data))}
    record = sealed(KIND, VERSION, content)
    for place in (_npz(path), _json(path)):
        if place.is_dir():
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(place))
    _finish_interrupted(path)
    with removed_on_error(_beside(path)):
        write_through(_beside(path), data)
        write_whole(_json(path), record)    # from here on the new pair counts
    os.replace(_beside(path), _npz(path))


def load(path, configuration=None):
    """The Checkpoint of the pair path.npz and path.json, whole or not at all.

    configuration: what the caller is going to build; None if any will do. Raises FileRefused with one sentence where a
    file is missing, a folder, damaged, foreign or newer, where the two do not belong together, or the configuration is
    another.
    """
    content = read_sealed(_json(path), KIND, VERSION)
    try:
        provenance = Provenance(**{name: (LATER | content)[name] for name in KINDS})
        expected, stated = content["arrays_sha256"], content["arrays"]
    except KeyError as error:
        raise FileRefused(f"{_json(path)} lacks the entry {error}: it was not written by this package; "
                          "restore or train again") from None
    if wrong := _wrong_entry(vars(provenance)):
        raise FileRefused(f"{_json(path)} has {wrong}: it was not written by this package; restore or train again")
    if configuration is not None:
        check_configuration(path, provenance, configuration)
    arrays = _read_npz(path, expected)
    if _stated(arrays) != stated:
        raise FileRefused(f"{_npz(path)} holds other arrays than {_json(path)} states: restore both or train again")
    return Checkpoint(arrays, provenance)


def check_configuration(path, provenance, configuration):
    """Raises FileRefused where a checkpoint was made with another configuration."""
    if other := differences(provenance.configuration, read_back(configuration)):
        raise FileRefused(f"{_json(path)} is a checkpoint of another model ({other[0]}): ask for the same "
                          "configuration or name another checkpoint")


def code_differences(provenance):
    """Functions that are not as they were in training: a tuple of provenance.Difference, empty where none changed."""
    return differences(provenance.code, code_hashes(provenance.code))


def writing_differences(provenance):
    """Functions that are not as they were when the model was measured, but for those of ``code_differences``."""
    alone = {name: value for name, value in provenance.writing.items() if name not in provenance.code}
    return differences(alone, code_hashes(alone))


def version_differences(provenance):
    """Versions that are not as they were in training: a tuple of provenance.Difference."""
    return differences(provenance.versions, versions())


def npz_bytes(arrays):
    """Arrays as an ``.npz`` file: without compression, pickle or the time, so that equal arrays give equal bytes.

    Raises TypeError for an array of objects, ValueError for a name that would be read as another, as with a NUL.
    """
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_STORED) as file:
        for name, array in _as_arrays(arrays).items():
            if array.dtype.hasobject:
                raise TypeError(f"the array {name!r} holds objects, which only pickle can write: save numbers instead")
            entry = zipfile.ZipInfo(name + ".npy", date_time=(1980, 1, 1, 0, 0, 0))
            if entry.filename != name + ".npy":
                raise ValueError(f"the array name {name!r} would be read as {entry.filename!r}: an archive cuts a name "
                                 "at a NUL and writes / for the separator of folders; name the array otherwise")
            with file.open(entry, "w", force_zip64=True) as part:
                np.lib.format.write_array(part, array, allow_pickle=False)
    return buffer.getvalue()


def _wrong_entry(entries):
    """What is wrong with the first entry of a provenance that is of another kind than KINDS says; None if none is."""
    for name, kind in KINDS.items():
        if not isinstance(entries[name], kind):
            return f"{entries[name]!r} as its entry {name!r}, not a {kind.__name__}"
    return None


def _stated(arrays):
    """What a record says of its arrays: the dtype and the shape of each, by name."""
    return {name: [str(array.dtype), list(array.shape)] for name, array in arrays.items()}


def _read_npz(path, expected):
    """The arrays whose file has the expected sha256: it may still stand beside, where a save was killed at its end."""
    for candidate in (_npz(path), _beside(path)):
        if candidate.exists() and sha256(data := read_whole(candidate, KIND)) == expected:
            try:
                return _arrays_of(data)
            except (zipfile.BadZipFile, ValueError) as error:  # ValueError: no array, or one that needs pickle
                raise FileRefused(f"{_npz(path)} holds no plain arrays ({error}): restore both files or train "
                                  "again") from None
    if not _npz(path).exists():
        raise FileRefused(f"{_npz(path)} does not exist, only {_json(path)} does: restore both files or train again")
    raise FileRefused(f"{_npz(path)} is damaged or belongs to another training than {_json(path)}: its sha256 is not "
                      "the one stated there; restore both files or train again")


def _arrays_of(data):
    """The reverse of ``npz_bytes``. Raises BadZipFile or ValueError for other bytes."""
    with zipfile.ZipFile(io.BytesIO(data)) as file:
        return {name.removesuffix(".npy"): np.lib.format.read_array(file.open(name), allow_pickle=False)
                for name in file.namelist()}


def _finish_interrupted(path):
    """If a save was killed after its pair came to count, move its arrays to their place before they are overwritten."""
    if not _beside(path).exists():
        return
    try:
        expected = read_sealed(_json(path), KIND, VERSION).get("arrays_sha256")
    except FileRefused:
        return
    if sha256(read_whole(_beside(path), KIND)) == expected:
        os.replace(_beside(path), _npz(path))


def _as_arrays(arrays):
    return {name: np.asarray(array, order="C") for name, array in arrays.items()}


def _npz(path):
    return Path(f"{path}.npz")


def _json(path):
    return Path(f"{path}.json")


def _beside(path):
    return Path(f"{path}.npz.new")
