"""What holds of both models: nobody reads the future or the padding, evaluation repeats, gradients are measured."""

import math

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from tests.transformer.checks import check_by_differences
from tests.transformer.definitions import TIGHT
from tests.transformer.model_samples import PAD, SOS, language_model, rows_of_ids, translation_model
from transformer import decoder_only, encoder_decoder
from transformer.decoder_only import decoder_only_forward, decoder_only_loss
from transformer.dropout import EVALUATION, training
from transformer.embedding import tied_logits_forward
from transformer.encoder_decoder import encoder_decoder_forward, encoder_decoder_loss
from transformer.masks import padding_mask
from transformer.parameters import allocate, shapes_of

KINDS = pytest.mark.parametrize("positions", ["learned", "sinusoidal"])
SHARING = pytest.mark.parametrize("sharing", encoder_decoder.SHARING)


def translation_batch(config):
    """src, tgt_in, tgt_out of three pairs of different length, padded."""
    src = rows_of_ids(config.V_src, [6, 4, 1], 6)
    tgt = rows_of_ids(config.V_tgt, [5, 3, 4], 5, seed=2)
    tgt_in = np.concatenate([np.full((3, 1), SOS), tgt[:, :-1]], axis=1)
    return src, tgt_in, tgt


def language_batch(config):
    """ids and targets of three texts of different length, padded; the targets after them are ignored."""
    ids = rows_of_ids(config.V, [8, 5, 2], 8)
    return ids[:, :-1], np.where(ids[:, 1:] == PAD, -1, ids[:, 1:])


# --- the future ------------------------------------------------------------------------------------------------------


@KINDS
@pytest.mark.parametrize("t", range(6))
def test_row_B13_a_later_token_changes_no_earlier_score(positions, t):
    """Bit for bit: all tokens after t are replaced."""
    config, params = language_model(positions)
    ids = rows_of_ids(config.V, [7, 7], 7)
    other = ids.copy()
    other[:, t + 1:] = (other[:, t + 1:] + 3) % config.V
    logits, _ = decoder_only_forward(ids, params, config, EVALUATION)
    changed, _ = decoder_only_forward(other, params, config, EVALUATION)
    assert_array_equal(changed[:, :t + 1], logits[:, :t + 1])
    assert not np.isclose(changed[:, t + 1:], logits[:, t + 1:]).all(axis=-1).any()


@SHARING
def test_row_B13_a_later_target_token_changes_no_earlier_score(sharing):
    """A source token does: every position reads the whole source."""
    config, params = translation_model(sharing)
    src, tgt, _ = translation_batch(config)
    logits, _ = encoder_decoder_forward(src, tgt, params, config, PAD, EVALUATION)
    for t in range(4):
        other = tgt.copy()
        other[:, t + 1:] = 2 + (other[:, t + 1:] + 1) % 7
        changed, _ = encoder_decoder_forward(src, other, params, config, PAD, EVALUATION)
        assert_array_equal(changed[:, :t + 1], logits[:, :t + 1])
    src_other = src.copy()
    src_other[:, 0] = 2 + (src[:, 0] - 1) % 8
    changed, _ = encoder_decoder_forward(src_other, tgt, params, config, PAD, EVALUATION)
    assert not np.isclose(changed, logits).all(axis=-1).any()


@pytest.mark.parametrize("V", [13, 500])
def test_row_B13_an_untrained_model_loses_about_log_V(V):
    """With scores of variance s about log V + s / 2, since scores are not all 0; less would mean it sees its target."""
    rng = np.random.default_rng(0)
    config = decoder_only.Config(V=V, n_max=20, d=64, H=4, d_ff=64, layers=2)
    _, params = decoder_only.init_decoder_only(config, rng)
    ids = rng.integers(0, V, (16, 20))
    loss, _ = decoder_only_loss(ids[:, :-1], ids[:, 1:], params, config, EVALUATION)
    logits, _ = decoder_only_forward(ids[:, :-1], params, config, EVALUATION)
    print(f"V = {V}: loss {loss:.3f}, log V {math.log(V):.3f}, variance of the scores {logits.var():.2f}")
    assert abs(loss - math.log(V) - logits.var() / 2) < 0.35


# --- padding ---------------------------------------------------------------------------------------------------------


@KINDS
def test_row_B11_more_padding_changes_nothing_in_the_language_model(positions):
    """Neither real scores, nor the loss, nor any gradient; with learned positions the later ones get none."""
    config, params = language_model(positions)
    ids, targets = language_batch(config)
    longer = np.concatenate([ids, np.full((3, 2), PAD)], axis=1)
    more = np.concatenate([targets, np.full((3, 2), -1)], axis=1)
    logits, _ = decoder_only_forward(ids, params, config, EVALUATION, PAD)
    logits_more, _ = decoder_only_forward(longer, params, config, EVALUATION, PAD)
    assert_allclose(logits_more[:, :ids.shape[1]][ids != PAD], logits[ids != PAD], **TIGHT)
    loss, grads = decoder_only_loss(ids, targets, params, config, EVALUATION, PAD)
    loss_more, grads_more = decoder_only_loss(longer, more, params, config, EVALUATION, PAD)
    assert_allclose(loss_more, loss, rtol=1e-13)
    for name in grads:
        assert_allclose(grads_more[name], grads[name], **TIGHT, err_msg=name)


def test_row_B11_more_padding_changes_nothing_in_the_model_of_2017():
    config, params = translation_model()
    src, tgt_in, tgt_out = translation_batch(config)
    wider = [np.concatenate([ids, np.full((3, n), PAD)], axis=1) for ids, n in ((src, 3), (tgt_in, 2), (tgt_out, 2))]
    loss, grads = encoder_decoder_loss(src, tgt_in, tgt_out, params, config, PAD, EVALUATION, 0.1)
    loss_more, grads_more = encoder_decoder_loss(*wider, params, config, PAD, EVALUATION, 0.1)
    assert_allclose(loss_more, loss, rtol=1e-13)
    for name in grads:
        assert_allclose(grads_more[name], grads[name], **TIGHT, err_msg=name)


def test_row_B11_the_embedding_of_padding_is_never_read():
    """Bit for bit, and its row gets no gradient, in source and target."""
    config, params = translation_model("none")
    batch = translation_batch(config)
    loss, grads = encoder_decoder_loss(*batch, params, config, PAD, EVALUATION, 0.1)
    other = {name: value.copy() for name, value in params.items()}
    other["E_src"][PAD], other["E_tgt"][PAD] = 50.0, -30.0
    loss_other, grads_other = encoder_decoder_loss(*batch, other, config, PAD, EVALUATION, 0.1)
    assert loss_other == loss
    for name in grads:
        assert_array_equal(grads_other[name], grads[name], err_msg=name)
    assert not grads["E_src"][PAD].any() and not grads["E_tgt"][PAD].any() and grads["E_out"][PAD].any()


def test_row_B11_a_row_of_a_batch_is_what_it_is_alone():
    config, params = translation_model()
    src, tgt, _ = translation_batch(config)
    logits, _ = encoder_decoder_forward(src, tgt, params, config, PAD, EVALUATION)
    for n, (n_src, n_tgt) in enumerate(zip([6, 4, 1], [5, 3, 4], strict=True)):
        alone, _ = encoder_decoder_forward(src[n, :n_src], tgt[n, :n_tgt], params, config, PAD, EVALUATION)
        assert_allclose(logits[n, :n_tgt], alone, **TIGHT)


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
def test_row_B7_a_source_of_padding_alone_gives_finite_results(dtype):
    """Nothing can be read, so cross-attention adds its output bias alone; no NaN in loss, gradients or elsewhere."""
    config, params = translation_model(dtype=dtype)
    src, tgt_in, tgt_out = translation_batch(config)
    src[0] = PAD
    loss, grads = encoder_decoder_loss(src, tgt_in, tgt_out, params, config, PAD, EVALUATION, 0.1)
    assert np.isfinite(loss) and all(np.isfinite(gradient).all() for gradient in grads.values())
    assert all(gradient.dtype == dtype for gradient in grads.values())


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
def test_row_B7_a_text_of_padding_alone_gives_finite_results_and_changes_no_other(dtype):
    """Attention adds its output bias alone there. Nothing is learned from it: the gradients are those without it."""
    config, params = language_model(dtype=dtype)
    ids, targets = language_batch(config)
    more = np.concatenate([ids, np.full_like(ids[:1], PAD)]), np.concatenate([targets, np.full_like(targets[:1], -1)])
    loss, grads = decoder_only_loss(ids, targets, params, config, EVALUATION, PAD)
    loss_more, grads_more = decoder_only_loss(*more, params, config, EVALUATION, PAD)
    few = 50 * np.finfo(dtype).eps
    assert_allclose(loss_more, loss, rtol=few)
    for name in grads:
        assert grads_more[name].dtype == dtype and np.isfinite(grads_more[name]).all()
        largest = max(float(np.abs(grads[name]).max()), 0.1)
        assert_allclose(grads_more[name], grads[name], rtol=0, atol=few * largest, err_msg=name)


# --- parameters ------------------------------------------------------------------------------------------------------


def test_row_C22_one_matrix_serves_source_target_and_output():
    """One array in the flat vector; its gradient is the sum of those of three matrices that are not shared."""
    config, params = translation_model()
    vector, views = encoder_decoder.init_encoder_decoder(config, np.random.default_rng(0))
    assert [name for name in views if name.startswith("E")] == ["E"] and np.shares_memory(vector, views["E"])
    apart = config._replace(sharing="none")
    copies = {"E_src": params["E"], "E_tgt": params["E"], "E_out": params["E"]} | params
    del copies["E"]
    batch = translation_batch(config)
    loss, grads = encoder_decoder_loss(*batch, params, config, PAD, EVALUATION, 0.1)
    loss_apart, grads_apart = encoder_decoder_loss(*batch, copies, apart, PAD, EVALUATION, 0.1)
    assert loss_apart == loss
    assert_allclose(grads["E"], grads_apart["E_src"] + grads_apart["E_tgt"] + grads_apart["E_out"], **TIGHT)


def test_row_C22_the_output_layer_has_no_factor_and_the_input_has_the_root_of_the_width():
    config, params = translation_model()
    src, tgt, _ = translation_batch(config)
    memory, _ = encoder_decoder.encoder_forward(src, params, config, padding_mask(src, PAD), EVALUATION)
    shapes = {name: value.shape for name, value in params.items()}
    still = {name: np.zeros(shape) for name, shape in shapes.items()} | {"E": params["E"]}
    still |= {name: np.ones(shape) for name, shape in shapes.items() if name.endswith("gamma")}
    logits, (_, cache_d) = encoder_decoder_forward(src, tgt, still, config, PAD, EVALUATION)
    last = cache_d[2][0]  # what the output layer received: normalised rows, since all sublayers give 0
    assert_allclose(logits, tied_logits_forward(last, params["E"])[0], **TIGHT)
    assert np.abs(last.var(axis=-1) - 1).max() < 1e-3 and memory.shape == (3, 6, 12)


@pytest.mark.parametrize(("config", "message"), [
    (encoder_decoder.Config(9, 8, 12, 3, 14, 1), "one matrix cannot serve 9 source and 8 target tokens"),
    (encoder_decoder.Config(9, 9, 12, 3, 14, 1, "some"), "sharing is one of all, target, none, got 'some'"),
])
def test_embeddings_that_cannot_be_shared_are_refused(config, message):
    with pytest.raises(ValueError, match=message):
        encoder_decoder.init_encoder_decoder(config, np.random.default_rng(0))


def test_unknown_positions_and_too_long_texts_are_refused():
    config, params = language_model()
    with pytest.raises(ValueError, match="'learned' or 'sinusoidal', got 'rotary'"):
        decoder_only.init_decoder_only(config._replace(positions="rotary"), np.random.default_rng(0))
    with pytest.raises(ValueError, match="'learned' or 'sinusoidal', got 'rotary'"):
        decoder_only.position_table(params, config._replace(positions="rotary"), np.float64)
    with pytest.raises(ValueError, match="positions 0 to 9 are asked for, the table has 0 to 8"):
        decoder_only_forward(np.ones((1, 10), dtype=int), params, config, EVALUATION)


# --- training and evaluation -----------------------------------------------------------------------------------------


def test_row_E33_two_evaluations_are_identical_and_equal_training_without_dropout():
    rng = np.random.default_rng(0)
    config, params = language_model()
    ids, _ = language_batch(config)
    first, _ = decoder_only_forward(ids, params, config, EVALUATION, PAD)
    assert_array_equal(decoder_only_forward(ids, params, config, EVALUATION, PAD)[0], first)
    assert_array_equal(decoder_only_forward(ids, params, config, training(0.0, rng), PAD)[0], first)
    assert not np.allclose(decoder_only_forward(ids, params, config, training(0.1, rng), PAD)[0], first)
    config, params = translation_model()
    src, tgt, _ = translation_batch(config)
    first, _ = encoder_decoder_forward(src, tgt, params, config, PAD, EVALUATION)
    assert_array_equal(encoder_decoder_forward(src, tgt, params, config, PAD, EVALUATION)[0], first)
    assert_array_equal(encoder_decoder_forward(src, tgt, params, config, PAD, training(0.0, rng))[0], first)
    assert not np.allclose(encoder_decoder_forward(src, tgt, params, config, PAD, training(0.1, rng))[0], first)


def directional(params, grads, loss_of, rng):
    """The derivative of the loss along a random direction of all parameters, from the gradients and measured."""
    vector, views = allocate(shapes_of(params))
    for name, view in views.items():
        view[...] = rng.normal(size=view.shape)
    derived = sum(float(np.sum(grads[name] * views[name])) for name in params)
    h = 1e-6
    ahead, behind = ({name: params[name] + sign * h * views[name] for name in params} for sign in (1, -1))
    return derived, (loss_of(ahead) - loss_of(behind)) / (2 * h)


@KINDS
@pytest.mark.parametrize("seed", range(3))
def test_the_loss_of_the_language_model_moves_as_the_gradients_say_with_dropout(seed, positions):
    """Along a random direction of all parameters; padding and dropout included, and the same entries are dropped."""
    rng = np.random.default_rng(seed)
    config, params = language_model(positions)
    batch = language_batch(config)

    def loss(moved):
        return decoder_only_loss(*batch, moved, config, training(0.2, np.random.default_rng(9)), PAD)

    derived, measured = directional(params, loss(params)[1], lambda moved: loss(moved)[0], rng)
    print(f"{positions} positions, direction {seed}: relative error {abs(derived / measured - 1):.1e}")
    assert abs(derived - measured) < 1e-6 * abs(measured)


@SHARING
@pytest.mark.parametrize("seed", range(3))
def test_the_loss_of_the_model_of_2017_moves_as_the_gradients_say_with_dropout(seed, sharing):
    """The same, with smoothing."""
    rng = np.random.default_rng(seed)
    config, params = translation_model(sharing)
    pairs = translation_batch(config)

    def loss(moved):
        return encoder_decoder_loss(*pairs, moved, config, PAD, training(0.2, np.random.default_rng(9)), 0.1)

    derived, measured = directional(params, loss(params)[1], lambda moved: loss(moved)[0], rng)
    print(f"sharing {sharing}, direction {seed}: relative error {abs(derived / measured - 1):.1e}")
    assert abs(derived - measured) < 1e-6 * abs(measured)


@pytest.mark.parametrize("name", ["E", "encoder0.attention.wq", "decoder0.cross.wk", "decoder1.ffn.b1",
                                  "decoder1.norm3.gamma"])
def test_gradients_of_the_loss_of_the_model_of_2017_are_measured(name):
    config, params = translation_model()
    batch = translation_batch(config)

    def f(moved):
        return float(encoder_decoder_loss(*batch, {**params, name: moved}, config, PAD, EVALUATION, 0.1)[0])

    _, grads = encoder_decoder_loss(*batch, params, config, PAD, EVALUATION, 0.1)
    check_by_differences(name, grads[name], f, params[name])


@pytest.mark.parametrize("positions", ["learned", "sinusoidal"])
def test_a_batch_of_empty_texts_has_no_loss_and_gradients_of_zero(positions):
    config = decoder_only.Config(V=9, n_max=5, d=6, H=3, d_ff=7, layers=2, positions=positions)
    _, params = decoder_only.init_decoder_only(config, np.random.default_rng(0))
    nothing = np.zeros((2, 0), int)
    loss, grads = decoder_only_loss(nothing, nothing, params, config, EVALUATION)
    assert loss == 0 and set(grads) == set(params)
    assert not any(gradient.any() for gradient in grads.values())


@pytest.mark.parametrize("init", [
    lambda H: decoder_only.init_decoder_only(decoder_only.Config(9, 5, 6, H, 7, 1), np.random.default_rng(0)),
    lambda H: encoder_decoder.init_encoder_decoder(encoder_decoder.Config(9, 9, 6, H, 7, 1), np.random.default_rng(0)),
], ids=["decoder only", "encoder and decoder"])
@pytest.mark.parametrize("H", [4, 0])
def test_a_model_whose_width_cannot_be_cut_into_its_heads_is_not_made(init, H):
    with pytest.raises(ValueError, match=f"d = 6 cannot be cut into H = {H} equal heads"):
        init(H)


@pytest.mark.parametrize("layers", [0, -1])
def test_a_model_without_layers_is_not_made(layers):
    """Its decoder would read nothing of the source."""
    for config, init in ((language_model()[0], decoder_only.init_decoder_only),
                         (translation_model()[0], encoder_decoder.init_encoder_decoder)):
        with pytest.raises(ValueError, match=f"at least one layer.*, got layers = {layers}"):
            init(config._replace(layers=layers), np.random.default_rng(0))


def test_an_odd_width_has_no_sines_and_cosines():
    """Learned positions have no such need."""
    rng = np.random.default_rng(0)
    for config, init in ((language_model("sinusoidal")[0], decoder_only.init_decoder_only),
                         (translation_model()[0], encoder_decoder.init_encoder_decoder)):
        with pytest.raises(ValueError, match="the width must be even, got d = 9"):
            init(config._replace(d=9), rng)
    decoder_only.init_decoder_only(language_model("learned")[0]._replace(d=9), rng)
