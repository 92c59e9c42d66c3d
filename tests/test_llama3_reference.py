"""The solution's Llama 3 frequencies against numbers from libraries that practitioners run."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest
from common import CASES, right

REFERENCE = CASES.parent / "reference"
LLAMA3 = [
    case
    for case in json.loads((REFERENCE / "cases.json").read_text(encoding="utf-8"))["cases"]
    if "llama3" in case["name"]
]


def test_there_are_cases_of_two_libraries() -> None:
    assert len({case["library"] for case in LLAMA3}) >= 2


@pytest.mark.parametrize("case", [pytest.param(case, id=case["name"]) for case in LLAMA3])
def test_frequencies_agree_with_an_independent_library(case: dict[str, Any]) -> None:
    params, (check,) = case["params"], case["checks"]
    length = params["original_max_position_embeddings"]
    bounds = params["low_freq_factor"], params["high_freq_factor"]
    frequencies = right("13_case_studies")[0]["llama3_frequencies"](
        params["head_dim"], params["base"], params["factor"], *bounds, length
    )
    with np.load(REFERENCE / case["file"], allow_pickle=False) as stored:
        want = stored[case["outputs"]["inv_freq"]["key"]]
        factor = stored[case["outputs"]["attention_factor"]["key"]]
    np.testing.assert_allclose(frequencies, want, rtol=check["rtol"])
    assert factor == 1.0
