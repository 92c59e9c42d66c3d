"""Is a failure only the consequence of another exercise's? Try once more with that one replaced by the right one."""

from __future__ import annotations

import contextlib
import hashlib
import inspect
import types
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from labsupport.checking.declare import EXERCISES


class NotRecorded(Exception):
    """A recorded function was asked for something that the solution never asked it."""


World = dict[str, Any]
"""The globals in which a function looks up its names."""


def used(function: Callable[..., Any], own: str) -> dict[str, World]:
    """Give the other exercises that a function uses, also through its helpers, each with the globals it is found in."""
    found: dict[str, World] = {}
    waiting, seen = [function], set()
    while waiting:
        current = _plain_function(waiting.pop())
        code, world = getattr(current, "__code__", None), getattr(current, "__globals__", {})
        if code is None or code in seen:
            continue
        seen.add(code)
        for name in _names(code):
            if name in EXERCISES and name != own and callable(world.get(name)):
                found.setdefault(name, world)
            elif isinstance(world.get(name), types.FunctionType):
                waiting.append(world[name])
    return found


def _plain_function(answer: Any) -> Any:
    """Look through functools.partial and callable objects."""
    answer = getattr(answer, "func", answer)
    return answer if hasattr(answer, "__code__") else getattr(type(answer), "__call__", None)  # noqa: B004


def _names(code: types.CodeType) -> list[str]:
    inner = [c for c in code.co_consts if isinstance(c, types.CodeType)]
    return [*code.co_names, *(n for c in inner for n in _names(c))]


@contextlib.contextmanager
def replaced(world: World, others: dict[str, Callable[..., Any]]) -> Iterator[None]:
    """Put other functions under their names in `world`, and put the old ones back."""
    before = {name: world[name] for name in others}
    world.update(others)
    try:
        yield
    finally:
        world.update(before)


def call_key(function: Callable[..., Any], args: tuple, kwargs: dict) -> str:
    """Digest the arguments of a call, however they were passed, up to the ninth decimal."""
    bound = inspect.signature(function).bind(*args, **kwargs)
    bound.apply_defaults()
    digest = hashlib.sha1(usedforsecurity=False)
    for value in bound.arguments.values():
        digest.update(_canonical(value))
    return digest.hexdigest()[:20]


def _canonical(value: Any) -> bytes:
    try:
        array = np.round(np.asarray(value, dtype=float), 9) + 0.0
    except (TypeError, ValueError):
        return repr(value)[:200].encode()
    return str(array.shape).encode() + array.tobytes()


def recorded(function: Callable[..., Any], memory: dict[str, Any]) -> Callable[..., Any]:
    """Stand in for a right function by what it gave to the solution when the course was built."""

    def answer(*args: Any, **kwargs: Any) -> Any:
        try:
            value = memory[call_key(function, args, kwargs)]
        except (KeyError, TypeError):
            raise NotRecorded("no recorded answer for these arguments") from None
        if isinstance(value, Exception):
            raise value
        return value

    return answer


@contextlib.contextmanager
def remembering(function: Callable[..., Any], own: str, memory: dict[str, dict[str, Any]]) -> Iterator[None]:
    """Note in `memory` what the other exercises' functions give while `function` runs."""

    def listen(name: str, original: Callable[..., Any]) -> Callable[..., Any]:
        def heard(*args: Any, **kwargs: Any) -> Any:
            calls, key = memory.setdefault(name, {}), call_key(original, args, kwargs)
            try:
                calls[key] = original(*args, **kwargs)
            except Exception as error:
                calls[key] = error
                raise
            return calls[key]

        return heard

    with contextlib.ExitStack() as stack:
        for name, world in used(function, own).items():
            stack.enter_context(replaced(world, {name: listen(name, world[name])}))
        yield
