"""The run of notebook 11: its tasks, its reader of keys, and what is recorded of it."""

from __future__ import annotations

import numpy as np
from common import right

from labsupport.runs import evaluation as run
from labsupport.runs import recorded
from labsupport.transformer import Positions


def test_each_task_asks_for_what_its_name_says() -> None:
    x = np.array([[3, 1, 2, 0]])
    asked = {name: task(x)[0].tolist() for name, task in run.TASKS.items()}
    assert asked == {
        "same token": [3, 1, 2, 0],
        "left neighbour": [0, 3, 1, 2],
        "copy half": [2, 0, 3, 1],
        "reverse": [0, 2, 1, 3],
        "sort": [0, 1, 2, 3],
    }


def test_a_reader_writes_three_tokens_one_after_another() -> None:
    class Counts:
        def logits(self, x: np.ndarray) -> np.ndarray:
            return np.eye(16)[(x + 1) % 16]

    assert run.reader(Counts())(np.array([4, 7])).tolist() == [8, 9, 10]


def test_a_short_training_can_be_repeated_and_maps_have_a_cell_for_each_length_and_depth() -> None:
    answers = right("11_evaluation")[0]
    own = [right(lab)[0][name] for lab, name in (
        ("02_sinusoidal", "sinusoidal_encoding"), ("05_rotary", "rotary_embedding"), ("06_alibi", "alibi_bias"),
        ("04_relative", "clipped_offsets"))]  # fmt: skip
    assert set(run.schemes(*own, seed=0)) >= {name for names in run.COMPARED.values() for name in names}
    once, again = (run.downstream({"none": Positions()}, names=("sort",), steps=2) for _ in range(2))
    assert once == again
    seen: list[tuple] = []

    def accuracy(predict: object, lengths: tuple, depths: tuple, *_: object) -> np.ndarray:
        seen.append((predict(np.array([10, 1, 2, 3, 11])).shape, lengths, depths))
        return np.zeros((len(lengths), len(depths)))

    maps = run.passkeys({"none": Positions()}, answers["passkey_example"], accuracy, steps=2)
    assert np.shape(maps["none"]) == (4, 5)
    assert seen == [((3,), run.LENGTHS, run.DEPTHS)]


def test_what_is_recorded_has_every_scheme_and_at_least_three_seeds() -> None:
    results = recorded("evaluation")
    for part, names in run.COMPARED.items():
        assert len(results[part]) >= 3
        for found in results[part].values():
            for content in found.values() if part == "downstream" else [found]:
                assert tuple(content) == names
