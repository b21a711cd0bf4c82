"""A checkpoint is compared with the model, the code and the versions that read it."""

import dataclasses

import numpy as np
import pytest

from tests.transformer.checkpoint.toy import ARRAYS, PROVENANCE
from transformer import checkpoint
from transformer.files import FileRefused


def test_a_checkpoint_of_another_model_is_refused(saved):
    assert checkpoint.load(saved, PROVENANCE.configuration).provenance == PROVENANCE
    with pytest.raises(FileRefused, match=r"another model \(d: trained with 64, run with 32\): ask for the same"):
        checkpoint.load(saved, {**PROVENANCE.configuration, "d": 32})
    with pytest.raises(FileRefused, match=r"another model \(layers: trained with not there, run with 2\)"):
        checkpoint.load(saved, {**PROVENANCE.configuration, "layers": 2})


def test_a_tuple_in_the_configuration_is_the_list_that_comes_back(tmp_path):
    configuration = {"betas": (0.9, 0.98), "d": np.int64(8)}
    checkpoint.save(tmp_path / "toy", ARRAYS, dataclasses.replace(PROVENANCE, configuration=configuration))
    assert checkpoint.load(tmp_path / "toy", configuration).provenance.configuration == {"betas": [0.9, 0.98], "d": 8}


def test_keys_that_are_numbers_in_the_configuration_are_the_text_that_comes_back(tmp_path):
    configuration = {"rates": {3: 0.1, 10: 0.2, "last": 0.3}}
    checkpoint.save(tmp_path / "toy", ARRAYS, dataclasses.replace(PROVENANCE, configuration=configuration))
    loaded = checkpoint.load(tmp_path / "toy", configuration).provenance.configuration
    assert loaded == {"rates": {"3": 0.1, "10": 0.2, "last": 0.3}}


def test_code_and_versions_as_in_training_have_no_differences(saved):
    provenance = checkpoint.load(saved).provenance
    assert checkpoint.code_differences(provenance) == checkpoint.version_differences(provenance) == ()


def test_what_writes_is_compared_apart_from_what_trains(saved):
    softmax = "transformer.softmax:softmax_forward"
    names = {softmax: "0" * 64, "transformer.generation:greedy": "1" * 64}
    both = dataclasses.replace(PROVENANCE, code={softmax: "0" * 64}, writing=names)
    assert [found.what for found in checkpoint.code_differences(both)] == [softmax]
    assert [found.what for found in checkpoint.writing_differences(both)] == ["transformer.generation:greedy"]


def test_what_changed_since_training_is_returned_as_data(saved):
    name = "transformer.softmax:softmax_forward"
    old = dataclasses.replace(PROVENANCE, versions={**PROVENANCE.versions, "numpy": "1.0"},
                              code={**PROVENANCE.code, name: "0" * 64, "transformer.gone:f": "1" * 64})
    checkpoint.save(saved, ARRAYS, old)
    provenance = checkpoint.load(saved).provenance
    assert checkpoint.version_differences(provenance) == (("numpy", "1.0", np.__version__),)
    gone, changed = sorted(checkpoint.code_differences(provenance))
    assert gone == ("transformer.gone:f", "1" * 64, "not there")
    assert changed == (name, "0" * 64, PROVENANCE.code[name])
    assert str(changed).startswith(f"{name}: trained with 0000") and ", run with " in str(changed)
