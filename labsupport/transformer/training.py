"""Training: Adam on a model's flat buffers, a bar of text, and a state that can be left and taken up again."""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

import numpy as np

from labsupport.transformer.model import Transformer

THREADS = ("OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "OMP_NUM_THREADS")
ADVICE = f"Set {THREADS[0]}=1 before NumPy loads, as `make lab` does: several threads make the transformer slower."


class Training:
    """A course of training that goes on where it stopped: Adam (0.9, 0.98), gradients clipped to norm 1.

    The rate rises over the first 5 % of the steps and falls along a cosine to a tenth. Each step has a generator of its
    own for its batch, so that a stop changes nothing: same machine and number of threads, same bits.

    Parameters
    ----------
    model : trained in place
    batch : rng -> (inputs, targets) or (inputs, targets, ids), as `Transformer.loss` takes them
    steps : how many in all
    rate : the highest learning rate
    seed : of the batches
    """

    def __init__(
        self, model: Transformer, batch: Callable[[np.random.Generator], tuple[np.ndarray, ...]], steps: int,
        rate: float = 3e-3, seed: int = 0,
    ) -> None:  # fmt: skip
        self.model, self.batch, self.steps, self.rate, self.seed = model, batch, steps, rate, seed
        self.losses: list[float] = []
        self._moments = np.zeros((3, model.flat.size), model.flat.dtype)

    def run(self, until: int | None = None) -> Training:
        """Train to the end, or until so many steps are done; an interrupt waits for the end of its step."""
        say_threads()
        until = self.steps if until is None else min(until, self.steps)
        with interrupts_held() as interrupts, bar(until, len(self.losses)) as tick:
            while len(self.losses) < until and not interrupts:
                self.step()
                tick(1)
        if interrupts:
            print(f"Stopped after {len(self.losses)} of {self.steps} steps; run() goes on from here.")
            raise KeyboardInterrupt
        return self

    def step(self) -> None:
        """Make one step, and add its mean loss in nats to `losses`."""
        done = len(self.losses)
        nll = self.model.loss(*self.batch(np.random.default_rng((self.seed, done))))
        g, rate = self.model.flat_gradients, self._rate(done)
        g *= min(1.0, 1 / (np.sqrt(g @ g) + 1e-12))
        self._adam(rate / (1 - 0.9 ** (done + 1)), 1 - 0.98 ** (done + 1))
        self.losses.append(float(np.nanmean(nll)))

    def _rate(self, done: int) -> float:
        warm = max(1, round(0.05 * self.steps))
        fall = 0.55 + 0.45 * np.cos(np.pi * (done - warm) / max(1, self.steps - warm))
        return self.rate * float((done + 1) / warm if done < warm else fall)

    def _adam(self, rate: float, correction: float) -> None:
        (m, v, s), g = self._moments, self.model.flat_gradients
        m *= 0.9
        m += np.multiply(g, 0.1, out=s)
        v *= 0.98
        g *= g
        v += np.multiply(g, 0.02, out=g)
        np.sqrt(v, out=s)
        s += 1e-8
        np.divide(m, s, out=s)
        self.model.flat -= np.multiply(s, rate * correction**0.5, out=s)


@contextmanager
def interrupts_held() -> Iterator[list[int]]:
    """Give a list in which an interrupt is noted instead of being raised; a second one is raised at once."""
    held: list[int] = []

    def note(number: int, frame: Any) -> None:
        if held:
            raise KeyboardInterrupt
        held.append(number)

    if threading.current_thread() is not threading.main_thread():  # (interrupts do not come to other threads)
        yield held
        return
    before = signal.signal(signal.SIGINT, note)
    try:
        yield held
    finally:
        signal.signal(signal.SIGINT, before)


@contextmanager
def bar(total: int, done: int) -> Iterator[Callable[[int], Any]]:
    """Show a text bar to someone who watches, and give the function that moves it on."""
    try:
        from tqdm.std import tqdm
    except ImportError:  # (it comes with the course's environment; training does without)
        tqdm = None
    watched = sys.stderr.isatty() or "ipykernel" in sys.modules
    unwatched = "PYTEST_CURRENT_TEST" in os.environ or os.environ.get("LABSUPPORT_PROGRESS") == "off"
    if tqdm is None or unwatched or not watched:
        yield lambda steps: None
        return
    with tqdm(total=total, initial=done, unit="step", leave=False, mininterval=0.5) as shown:
        yield shown.update


@cache
def say_threads() -> None:
    """Say once where NumPy may use several threads, which at these sizes burn time and change last digits."""
    if next((os.environ[name] for name in THREADS if name in os.environ), "") != "1":
        print(ADVICE, file=sys.stderr)
