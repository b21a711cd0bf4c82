"""Checkpoints: the arrays of a model in an ``.npz`` file without pickle, and beside it a JSON file of their provenance.

The JSON file names the arrays by their sha256, so that the two belong together or are refused. Replacing it is the one
moment at which a new pair takes the place of the old: a save that is killed before leaves the old pair, one that is
killed after leaves the new one.
"""

import io
import json
import os
import zipfile
from dataclasses import asdict, dataclass, field
from pathlib import Path

import numpy as np

from transformer.files import FileRefused, canonical, read_sealed, sealed, sha256, write_through, write_whole
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

    path: without suffix. arrays: dict from name to array. Equal arguments give equal bytes. Raises TypeError for an
    array of objects or a value that is no JSON, ValueError for NaN in the provenance; then nothing was written.
    """
    data = npz_bytes(arrays)
    content = {**asdict(provenance), "code_sha256": combined(provenance.code), "arrays_sha256": sha256(data),
               "arrays": {name: [str(array.dtype), list(array.shape)] for name, array in _as_arrays(arrays).items()}}
    record = sealed(KIND, VERSION, content)
    _finish_interrupted(path)
    write_through(_beside(path), data)
    write_whole(_json(path), record)        # from here on the new pair counts
    os.replace(_beside(path), _npz(path))


def load(path, configuration=None):
    """The Checkpoint of the pair path.npz and path.json, whole or not at all.

    configuration: what the caller is going to build; None if any will do. Raises FileRefused with one sentence where a
    file is missing, damaged, foreign or newer, where the two do not belong together, or the configuration is another.
    """
    content = read_sealed(_json(path), KIND, VERSION)
    try:
        provenance = Provenance(**{name: (LATER | content)[name] for name in KINDS})
        expected, stated = content["arrays_sha256"], content["arrays"]
    except KeyError as error:
        raise FileRefused(f"{_json(path)} lacks the entry {error}: it was not written by this package; "
                          "restore or train again") from None
    for name, kind in KINDS.items():
        if not isinstance(getattr(provenance, name), kind):
            raise FileRefused(f"{_json(path)} has {getattr(provenance, name)!r} as its entry {name!r}, not a "
                              f"{kind.__name__}: it was not written by this package; restore or train again")
    if configuration is not None:
        check_configuration(path, provenance, configuration)
    arrays = _read_npz(path, expected)
    if {name: [str(array.dtype), list(array.shape)] for name, array in arrays.items()} != stated:
        raise FileRefused(f"{_npz(path)} holds other arrays than {_json(path)} states: restore both or train again")
    return Checkpoint(arrays, provenance)


def check_configuration(path, provenance, configuration):
    """Raises FileRefused where a checkpoint was made with another configuration."""
    if other := differences(provenance.configuration, json.loads(canonical(configuration))):
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

    Raises TypeError for an array of objects.
    """
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_STORED) as file:
        for name, array in _as_arrays(arrays).items():
            if array.dtype.hasobject:
                raise TypeError(f"the array {name!r} holds objects, which only pickle can write: save numbers instead")
            entry = zipfile.ZipInfo(name + ".npy", date_time=(1980, 1, 1, 0, 0, 0))
            with file.open(entry, "w", force_zip64=True) as part:
                np.lib.format.write_array(part, array, allow_pickle=False)
    return buffer.getvalue()


def _read_npz(path, expected):
    """The arrays whose file has the expected sha256: it may still stand beside, where a save was killed at its end."""
    for candidate in (_npz(path), _beside(path)):
        if candidate.exists() and sha256(data := candidate.read_bytes()) == expected:
            return _arrays_of(_npz(path), data)
    if not _npz(path).exists():
        raise FileRefused(f"{_npz(path)} does not exist, only {_json(path)} does: restore both files or train again")
    raise FileRefused(f"{_npz(path)} is damaged or belongs to another training than {_json(path)}: its sha256 is not "
                      "the one stated there; restore both files or train again")


def _arrays_of(path, data):
    """The reverse of ``npz_bytes``."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as file:
            return {name.removesuffix(".npy"): np.lib.format.read_array(file.open(name), allow_pickle=False)
                    for name in file.namelist()}
    except (zipfile.BadZipFile, ValueError) as error:  # ValueError: no array, or one that needs pickle
        raise FileRefused(f"{path} holds no plain arrays ({error}): restore both files or train again") from None


def _finish_interrupted(path):
    """If a save was killed after its pair came to count, move its arrays to their place before they are overwritten."""
    if not _beside(path).exists():
        return
    try:
        expected = read_sealed(_json(path), KIND, VERSION).get("arrays_sha256")
    except FileRefused:
        return
    if sha256(_beside(path).read_bytes()) == expected:
        os.replace(_beside(path), _npz(path))


def _as_arrays(arrays):
    return {name: np.asarray(array, order="C") for name, array in arrays.items()}


def _npz(path):
    return Path(f"{path}.npz")


def _json(path):
    return Path(f"{path}.json")


def _beside(path):
    return Path(f"{path}.npz.new")
