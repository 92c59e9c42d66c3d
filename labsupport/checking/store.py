"""Stored answers: for each notebook one npz of numbers and one JSON of structure, nothing executable.

Every number stands in the npz (uncompressed, so that its bytes do not depend on a zlib build); the JSON holds names,
shapes and sentences.
"""

from __future__ import annotations

import builtins
import hashlib
import io
import json
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from labsupport.checking.declare import CourseError, Exercise
from labsupport.checking.fingerprint import Fingerprint
from labsupport.checking.reference import Known, LiveReference, RightCall, StoredReference
from labsupport.checking.values import plain

FOLDER = Path(__file__).parents[1] / "data" / "answers"


class Writer:
    """Collects arrays under numbered keys while the structure is written."""

    def __init__(self) -> None:
        self.arrays: dict[str, np.ndarray] = {}

    def put(self, array: Any, letter: str = "a") -> str:
        """Store an array and give its key, which begins with f for the numbers of fingerprints."""
        key = f"{letter}{len(self.arrays)}"
        self.arrays[key] = np.asarray(array)
        return key

    def encode(self, value: Any) -> Any:
        """Turn a value into JSON that refers to stored arrays."""
        if value is None or isinstance(value, str):
            return {"plain": value}
        if isinstance(value, Exception):
            return {"raises": type(value).__name__}
        if isinstance(value, (list, tuple)):
            return {type(value).__name__: [self.encode(v) for v in value]}
        if isinstance(value, dict):
            return {"dict": {k: self.encode(v) for k, v in value.items()}}
        kind = type(value).__name__ if isinstance(value, (bool, int, float)) else "array"
        return {kind: self.put(value)}

    def prints(self, diary: list[Fingerprint]) -> dict[str, Any]:
        """Store fingerprints: words in the structure, projections in one array."""
        words = [[p.kind, list(p.shape), p.dtype, list(p.changed)] for p in diary]
        return {"words": words, "numbers": self.put([(*p.projections, p.scale) for p in diary], "f")}


class Reader:
    """Reads the pair of files of one notebook."""

    def __init__(self, notebook: str) -> None:
        try:
            text = (FOLDER / f"{notebook}.json").read_text(encoding="utf-8")
            self.structure = json.loads(text)["exercises"]
            with np.load(FOLDER / f"{notebook}.npz", allow_pickle=False) as arrays:
                self.arrays = {k: arrays[k] for k in arrays.files}
        except (OSError, ValueError, KeyError):
            raise CourseError(
                f"the stored answers of {notebook} are missing or damaged "
                f"(labsupport/data/answers/{notebook}.json and .npz): "
                "download the course again, or run `make build` where there is a solutions folder."
            ) from None

    def decode(self, coded: Any) -> Any:
        """Turn JSON back into the value it stands for."""
        ((kind, content),) = coded.items()
        if kind == "plain":
            return content
        if kind == "raises":
            return getattr(builtins, content, ValueError)("as the right answer does")
        if kind in ("list", "tuple"):
            return (list if kind == "list" else tuple)(self.decode(v) for v in content)
        if kind == "dict":
            return {k: self.decode(v) for k, v in content.items()}
        array = self.arrays[content]
        return array.copy() if kind == "array" else array.item()

    def prints(self, coded: dict[str, Any]) -> list[Fingerprint]:
        """Turn stored fingerprints back."""
        numbers = self.arrays[coded["numbers"]].reshape(-1, 4).tolist()
        return [
            Fingerprint(kind, tuple(shape), dtype, tuple(changed), tuple(row[:3]), row[3])
            for (kind, shape, dtype, changed), row in zip(coded["words"], numbers, strict=True)
        ]


@lru_cache(maxsize=32)
def reader(notebook: str) -> Reader:
    """Read the stored answers of a notebook once."""
    return Reader(notebook)


def files(notebook: str, entries: dict[str, Any], writer: Writer) -> dict[Path, bytes]:
    """Give the two files of a notebook as bytes, without writing them."""
    buffer = io.BytesIO()
    np.savez(buffer, **writer.arrays)  # (every array is one of numbers, so nothing is pickled)
    text = json.dumps({"notebook": notebook, "exercises": entries}, indent=1, ensure_ascii=False, sort_keys=True)
    return {FOLDER / f"{notebook}.npz": buffer.getvalue(), FOLDER / f"{notebook}.json": (text + "\n").encode()}


def record_function(live: LiveReference, writer: Writer) -> dict[str, Any]:
    """Run a function exercise's criteria with the solution and code what they asked, gave and mistook."""
    criteria = {}
    for name, diary in live.diaries.items():
        calls = [
            {"name": c.name, "shapes": c.shapes, "value": writer.encode(c.value), "written": writer.encode(c.written)}
            for c in live.calls[name]
        ]
        criteria[name] = {"calls": calls, "diary": writer.prints(diary)}
    memory = {
        n: {key: writer.encode(v if isinstance(v, Exception) else plain(v)) for key, v in calls.items()}
        for n, calls in live.memory.items()
    }
    mistakes = [_code_known(k, writer) for k in live.known]
    return {"criteria": criteria, "parameters": live.parameters, "memory": memory, "mistakes": mistakes}


def _code_known(known: Known, writer: Writer) -> dict[str, Any]:
    differing = {
        name: {"calls": list(calls), **writer.prints(list(calls.values()))} for name, calls in known.differing.items()
    }
    return {"id": known.id, "sentence": known.sentence, "advice": known.advice, "differing": differing}


def stored_reference(exercise: Exercise) -> StoredReference:
    """Give the recorded reference of a function exercise."""
    read = reader(exercise.notebook)
    entry = structure(exercise)
    known = [
        Known(m["id"], m["sentence"], m["advice"],
              {n: dict(zip(d["calls"], read.prints(d), strict=True)) for n, d in m["differing"].items()})
        for m in entry["mistakes"]
    ]  # fmt: skip

    def calls(criterion: str) -> list[RightCall]:
        coded = entry["criteria"][criterion]["calls"]
        return [RightCall(c["name"], c["shapes"], read.decode(c["value"]), read.decode(c["written"])) for c in coded]

    diaries = {name: read.prints(c["diary"]) for name, c in entry["criteria"].items()}
    memory = {n: {k: read.decode(v) for k, v in answers.items()} for n, answers in entry["memory"].items()}
    return StoredReference(exercise, calls, diaries, known, entry["parameters"], memory)


def structure(exercise: Exercise) -> dict[str, Any]:
    """Give the stored structure of one exercise."""
    try:
        return reader(exercise.notebook).structure[exercise.name]
    except KeyError:
        raise CourseError(f"there are no stored answers for {exercise.name} yet: run `make build`") from None


def option_key(exercise: str, letter: str) -> str:
    """Digest a choice's letter with its exercise's name, so that no letter can be read from the stored file."""
    return hashlib.sha256(f"positional encoding, {exercise}, {letter}".encode()).hexdigest()[:24]
