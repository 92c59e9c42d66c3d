"""The tiny transformer: its gradients, its symmetries, its training, and how it uses the learner's functions."""

import io
import signal
import subprocess
import sys

import numpy as np
import pytest
from common import right

from labsupport import tasks
from labsupport.transformer import (
    Bias,
    Buckets,
    Learned,
    Positions,
    Rotary,
    Shaw,
    Table,
    Training,
    Transformer,
    gradient_errors,
)
from labsupport.transformer import training as training_module
from labsupport.transformer.model import softmax_of_products

HEADS, D = 2, 8
VOCABULARY = 5


def solution(notebook, name):
    return right(notebook)[0][name]


def sinusoids(seq_len, width):
    return solution("02_sinusoidal", "sinusoidal_encoding")(seq_len, width)


def turn(x, m, base=10000):
    return solution("05_rotary", "rotary_embedding")(x, m, base)


def turn_halves(x, m, base=10000):
    return solution("05_rotary", "rotary_half")(x, m, base)


def alibi(seq_len, heads):
    return solution("06_alibi", "alibi_bias")(seq_len, heads)


def near_buckets(relative):
    return np.clip(relative, -4, 3) + 4


def clipped(n_q, n_k):
    return np.clip(np.arange(n_k) - np.arange(n_q)[:, None], -3, 3) + 3


def random_table(*shape):
    return np.random.default_rng(5).normal(size=shape) * 0.3


SCHEMES = {
    "none": lambda: Positions(),
    "sinusoidal": lambda: Table(sinusoids),
    "learned": lambda: Learned(random_table(12, HEADS * D)),
    "rotary": lambda: Rotary(turn),
    "rotary in halves": lambda: Rotary(turn_halves),
    "rotary, frequencies replaced": lambda: Rotary(turn, frequencies=np.array([0.9, 0.2, 0.03, 0.0]), temperature=1.1),
    "alibi": lambda: Bias(alibi, HEADS),
    "t5": lambda: Buckets(near_buckets, random_table(8, HEADS)),
    "shaw": lambda: Shaw(clipped, random_table(7, D)),
}
EVERY_SCHEME = pytest.mark.parametrize("scheme", SCHEMES)


def small(scheme="none", *, dtype=np.float64, **options):
    options = {"width": HEADS * D, "heads": HEADS, "layers": 2, "seed": 1} | options
    return Transformer(VOCABULARY, 6, SCHEMES[scheme](), dtype=dtype, **options)


def largest_error(model, x, targets, ids):
    """Give the largest relative error of a gradient along random directions, over all arrays of weights."""
    return np.max(list(gradient_errors(model, x, targets, ids).values()))  # (a NaN among them is NaN)


@EVERY_SCHEME
@pytest.mark.parametrize("causal", [True, False])
@pytest.mark.parametrize("own_ids", [False, True])
def test_every_gradient_agrees_with_central_differences(scheme, causal, own_ids):
    rng = np.random.default_rng(3)
    model = small(scheme, causal=causal)
    x, targets = rng.integers(0, VOCABULARY, (3, 7)), rng.integers(-1, 6, (3, 7))
    ids = np.sort(rng.uniform(0, 11, (3, 7) if own_ids else 7), axis=-1)
    assert largest_error(model, x, targets, ids) < 1e-5


def test_gradients_of_patches_with_one_target_a_sequence():
    rng = np.random.default_rng(3)
    model = Transformer(2, 6, Table(sinusoids), width=16, heads=2, causal=False, dtype=np.float64)
    assert largest_error(model, rng.normal(size=(3, 7, 2)), rng.integers(0, 6, 3), None) < 1e-5


def test_weights_gradients_and_positions_are_views_of_flat_buffers():
    model = small("shaw", dtype=np.float32)
    for buffer, views in ((model.flat, model.weights), (model.flat_gradients, model.gradients)):
        assert buffer.dtype == np.float32
        assert sum(view.size for view in views.values()) == buffer.size
        assert all(np.shares_memory(view, buffer) for view in views.values())
    assert model.positions.weights["offsets"] is model.weights["offsets"]


def test_a_scheme_that_is_given_to_two_models_is_shared_by_neither():
    scheme = Learned(np.zeros((12, HEADS * D)))
    one, two = (Transformer(VOCABULARY, 6, scheme, width=HEADS * D, heads=HEADS) for _ in range(2))
    one.weights["table"][:] = 1
    assert not scheme.weights["table"].any()
    assert not two.weights["table"].any()


# --- symmetries of an untrained model ---------------------------------------------------------------------------------


def outputs(scheme, causal, ids=None, order=None):
    model = small(scheme, dtype=np.float32, causal=causal)
    x = np.random.default_rng(4).integers(0, VOCABULARY, (2, 9))
    return model.logits(x if order is None else x[:, order], ids)


@pytest.mark.parametrize("scheme", ["none", "sinusoidal", "rotary", "alibi"])
def test_a_permutation_passes_through_where_there_are_no_positions(scheme):
    order = np.random.default_rng(0).permutation(9)
    gap = np.abs(outputs(scheme, causal=False, order=order) - outputs(scheme, causal=False)[:, order]).max()
    assert gap < 1e-4 if scheme == "none" else gap > 0.1


@pytest.mark.parametrize("causal", [True, False])
@pytest.mark.parametrize("scheme", ["none", "rotary", "alibi", "t5", "shaw", "sinusoidal"])
def test_a_shift_of_all_ids_changes_nothing_for_relative_schemes(scheme, causal):
    gap = np.abs(outputs(scheme, causal, np.arange(9) + 37) - outputs(scheme, causal)).max()
    assert gap > 0.1 if scheme == "sinusoidal" else gap < 1e-4


@pytest.mark.parametrize("scheme", ["none", "alibi", "rotary", "sinusoidal"])
def test_a_reflection_passes_through_without_positions_and_with_a_symmetric_bias(scheme):
    order = np.arange(9)[::-1]
    gap = np.abs(outputs(scheme, causal=False, order=order) - outputs(scheme, causal=False)[:, order]).max()
    assert gap < 1e-4 if scheme in ("none", "alibi") else gap > 0.1


@EVERY_SCHEME
def test_a_causal_model_does_not_see_what_comes_later(scheme):
    model = small(scheme)
    x = np.random.default_rng(4).integers(0, VOCABULARY, (2, 9))
    y = x.copy()
    y[:, 5:] = (y[:, 5:] + 1) % VOCABULARY
    np.testing.assert_array_equal(model.logits(x)[:, :5], model.logits(y)[:, :5])


@EVERY_SCHEME
def test_ids_for_each_sequence_equal_shared_ids(scheme):
    model = small(scheme)
    x = np.random.default_rng(4).integers(0, VOCABULARY, (3, 9))
    ids = np.linspace(0, 8.5, 9)
    np.testing.assert_allclose(model.logits(x, ids), model.logits(x, np.tile(ids, (3, 1))), atol=1e-12)


# --- positions --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("function", [turn, turn_halves])
def test_a_rotary_scheme_does_what_the_function_does_and_back_what_it_does_at_minus_m(function):
    scheme, ids = Rotary(function), np.array([[0.0, 3.0, 1.5]])
    qk = np.random.default_rng(0).normal(size=(2, 3, 4, 8))
    by_heads = qk.swapaxes(1, 2)
    np.testing.assert_allclose(scheme.rotate(qk.copy(), ids, 0), function(by_heads, ids[0]).swapaxes(1, 2), atol=1e-12)
    back = scheme.rotate(qk.copy(), ids, 0, back=True)
    np.testing.assert_allclose(back, function(by_heads, -ids[0]).swapaxes(1, 2), atol=1e-12)


def test_a_rotary_function_is_called_when_new_ids_come_and_not_again():
    calls = []

    def counted(x, m, base):
        calls.append(len(m))
        return turn(x, m, base)

    model = Transformer(VOCABULARY, 6, Rotary(counted), width=16, heads=2)
    x = np.zeros((2, 9), int)
    model.loss(x, x)
    first = len(calls)
    model.loss(x, x)
    assert len(calls) == first
    model.loss(x, x, np.arange(9) / 2)
    assert len(calls) > first


def test_a_rotary_function_that_pairs_positions_is_refused():
    with pytest.raises(ValueError, match="each position by itself"):
        Transformer(VOCABULARY, 6, Rotary(lambda x, m, base: np.roll(x, 1, axis=-2))).logits(np.zeros((1, 4), int))


def test_frequencies_of_the_base_are_those_it_would_use_anyway():
    x = np.random.default_rng(4).integers(0, VOCABULARY, (2, 9))
    given = 10000.0 ** (-np.arange(0, D, 2) / D)
    plain, same = (small("rotary").with_positions(Rotary(turn, frequencies=f)) for f in (None, given))
    np.testing.assert_allclose(plain.logits(x), same.logits(x), atol=1e-12)


def test_swapped_positions_keep_the_other_weights():
    model = small("learned")
    other = model.with_positions(Learned(np.zeros((20, HEADS * D))))
    np.testing.assert_array_equal(other.weights["qkv1"], model.weights["qkv1"])
    assert not other.weights["table"].any()
    assert other.logits(np.zeros((1, 20), int)).shape == (1, 20, 6)


def test_a_table_is_mixed_linearly_between_its_rows():
    scheme = Table(lambda rows, width: np.arange(rows)[:, None] * np.ones(width))
    x = scheme.embed(np.zeros((1, 3, 4)), np.array([[0.0, 0.25, 2.0]]))
    np.testing.assert_allclose(x[0, :, 0], [0, 0.25, 2])


def test_positions_beyond_a_table_are_refused_by_number():
    with pytest.raises(IndexError, match="0 to 12 are not all in a table of 12 rows"):
        small("learned").logits(np.zeros((1, 13), int))


def test_a_bias_between_whole_positions_depends_on_the_distance():
    scheme, ids = Bias(alibi, HEADS), np.array([[0, 0.25, 2.5, 7.75]])
    distance = np.abs(ids[0][:, None] - ids[0])
    slopes = -alibi(2, HEADS)[:, 0, 1]
    want = -slopes[:, None, None] * distance
    np.testing.assert_allclose(scheme.bias(np.zeros((1, HEADS, 4, D)), ids, 0)[0], want, atol=1e-12)


def test_a_bias_of_minus_infinity_hides():
    window = Bias(lambda n, heads: np.tile(np.where(np.tri(n, k=-2), -np.inf, 0), (heads, 1, 1)), HEADS)
    model = small("none", layers=1).with_positions(window)
    x = np.random.default_rng(4).integers(0, VOCABULARY, (1, 9))
    y = x.copy()
    y[:, :3] = (y[:, :3] + 1) % VOCABULARY
    np.testing.assert_array_equal(model.logits(x)[:, 4:], model.logits(y)[:, 4:])


@pytest.mark.parametrize("scale", [1.0, 1e3])
def test_a_softmax_survives_any_scores(scale):
    rng = np.random.default_rng(0)
    q, k = rng.normal(size=(2, 1, 2, 5, 4)) * scale
    out = np.empty((1, 2, 5, 5))
    softmax_of_products(q, k, np.zeros(1), out)
    scores = q @ k.swapaxes(-1, -2)
    want = np.exp(scores - scores.max(-1, keepdims=True))
    np.testing.assert_allclose(out, want / want.sum(-1, keepdims=True), rtol=1e-9, atol=1e-300)


def test_loss_and_nll_agree_and_have_nan_where_nothing_is_asked():
    model = small()
    x, targets = np.zeros((20, 4), int), np.tile([1, -1, 2, 3], (20, 1))
    nll = model.nll(x, targets)
    np.testing.assert_allclose(model.loss(x, targets), nll)
    assert np.isnan(nll[:, 1]).all()
    logits = model.logits(x)[0, 2]
    np.testing.assert_allclose(nll[0, 2], np.log(np.exp(logits).sum()) - logits[2])


# --- training ---------------------------------------------------------------------------------------------------------


def started(steps=12, batch=None):
    model = small("t5", dtype=np.float32)
    return Training(model, batch or tasks.tokens_ago(1, 8, VOCABULARY, 4), steps)


def test_training_twice_gives_the_same_bits():
    one, two = started().run(), started().run()
    assert one.losses == two.losses
    np.testing.assert_array_equal(one.model.flat, two.model.flat)


def test_training_in_pieces_gives_the_same_bits_as_in_one():
    pieces = started()
    pieces.run(until=5)
    assert len(pieces.losses) == 5
    np.testing.assert_array_equal(pieces.run().model.flat, started().run().model.flat)


def test_an_interrupt_waits_for_the_end_of_its_step_and_training_goes_on_from_there(capsys):
    draw = tasks.tokens_ago(1, 8, VOCABULARY, 4)

    def batch(rng):
        if len(training.losses) == 4 and not interrupted:
            interrupted.append(True)
            signal.raise_signal(signal.SIGINT)
        return draw(rng)

    interrupted = []
    training = started(batch=batch)
    with pytest.raises(KeyboardInterrupt):
        training.run()
    assert len(training.losses) == 5
    assert "Stopped after 5 of 12 steps" in capsys.readouterr().out
    np.testing.assert_array_equal(training.run().model.flat, started().run().model.flat)
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_an_error_in_a_batch_leaves_training_where_it_was():
    draw, broken = tasks.tokens_ago(1, 8, VOCABULARY, 4), [True]

    def batch(rng):
        if len(training.losses) == 4 and broken.pop():
            raise KeyboardInterrupt
        return draw(rng)

    training = started(batch=batch)
    with pytest.raises(KeyboardInterrupt):
        training.run()
    broken.append(False)
    np.testing.assert_array_equal(training.run().model.flat, started().run().model.flat)


def test_training_learns():
    model = Transformer(8, 8, Rotary(turn), width=16, heads=2, layers=1)
    losses = Training(model, tasks.tokens_ago(1, 12, 8, 16), 150, rate=1e-2).run().losses
    assert losses[0] > 1.9
    assert losses[-1] < 0.5


@pytest.mark.parametrize("watched", [True, False])
def test_the_bar_is_for_someone_who_watches(watched, monkeypatch):
    class Terminal(io.StringIO):
        def isatty(self):
            return watched

    pytest.importorskip("tqdm")
    monkeypatch.delenv("PYTEST_CURRENT_TEST")
    monkeypatch.delenv("LABSUPPORT_PROGRESS", raising=False)
    monkeypatch.delitem(sys.modules, "ipykernel", raising=False)
    monkeypatch.setattr(sys, "stderr", Terminal())
    started().run()
    assert ("step" in sys.stderr.getvalue()) == watched


def test_a_missing_bar_is_no_complaint(monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "tqdm.std", None)
    training_module.say_threads()
    capsys.readouterr()
    started().run()
    assert capsys.readouterr() == ("", "")


@pytest.mark.parametrize(("threads", "said"), [("1", 0), ("2", 1), (None, 1)])
def test_several_threads_are_spoken_of_once(threads, said, monkeypatch, capsys):
    for name in training_module.THREADS:
        monkeypatch.delenv(name, raising=False)
    if threads:
        monkeypatch.setenv("OPENBLAS_NUM_THREADS", threads)
    training_module.say_threads.cache_clear()
    started().run()
    started().run()
    training_module.say_threads.cache_clear()
    assert capsys.readouterr().err.count("OPENBLAS_NUM_THREADS=1") == said


def test_the_transformer_needs_numpy_alone():
    program = (
        "import sys; import labsupport.transformer, labsupport.tasks; "
        "print(sorted({'matplotlib', 'tqdm', 'labsupport.checking', 'IPython'} & sys.modules.keys()))"
    )
    out = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout
    assert out.strip() == "[]"
