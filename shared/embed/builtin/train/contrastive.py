"""Contrastive training of the table: pairs of texts move together, all others of the batch apart.

A text is the sum of its rows, so the length of a row is the weight of its token and is learned with its direction.
The gradient is written out by hand and applied in compiled loops to the rows that a batch touches: on two CPU cores
this is several times faster than a general framework, which would update all 32,000 rows in each step.
"""

import multiprocessing
import time
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass

import numba as nb
import numpy as np
from threadpoolctl import threadpool_limits

from . import pairs

BETA1, BETA2 = 0.9, 0.99  # Adam; the second moment forgets faster than usual because training is short
BACKWARD = 0.5  # weight of "find the text for the partner", relative to "find the partner for the text"
WARM_UP = 30  # steps
LAST_RATE = 0.03  # the rate at the end, as a share of the first


@dataclass
class Stage:
    """One run of training; the learning rate falls linearly to almost nothing."""

    steps: int
    rate: float = 0.004
    batch: int = 1024  # pairs
    group: int = 4  # pairs of one document in a batch: its other passages are hard negatives
    size: int = 150  # tokens of a passage
    temperature: float = 0.06
    mix: tuple = (0.18, 0.42, 0.05, 0.18, 0.17)  # heading, cloze, neighbour, sentence, answer
    drop: float = 0.2  # least share of a cloze sentence that is left out
    keep: float = 0.3  # how often the passage keeps the sentence
    runs: int = 1  # as many runs with different pairs, and the mean of their tables


@nb.njit(cache=True, parallel=True, fastmath=True)
def _sum_rows(table, ids, start):
    out = np.zeros((len(start) - 1, table.shape[1]), np.float32)
    for t in nb.prange(len(out)):
        for i in range(start[t], start[t + 1]):
            row = ids[i]
            for k in range(table.shape[1]):
                out[t, k] += table[row, k]
    return out


@nb.njit(cache=True, parallel=True, fastmath=True)
def _spread(gradient, touched, step, ids, start, rows):
    """Every token of a text has the text's gradient. Each thread has its own columns, so no two collide."""
    half = gradient.shape[1] // 2
    for side in nb.prange(2):
        for t in range(len(start) - 1):
            for i in range(start[t], start[t + 1]):
                row = ids[i]
                if side == 0:
                    touched[row] = step
                for k in range(side * half, side * half + half):
                    gradient[row, k] += rows[t, k]


@nb.njit(cache=True, parallel=True, fastmath=True)
def _adam(table, gradient, mean, square, touched, step, rate):
    b1, b2 = np.float32(BETA1), np.float32(BETA2)
    c1, c2 = np.float32(1 - BETA1**step), np.float32(1 - BETA2**step)
    one, tiny = np.float32(1), np.float32(1e-10)
    for row in nb.prange(len(table)):
        if touched[row] == step:
            for k in range(table.shape[1]):
                g = gradient[row, k]
                gradient[row, k] = 0
                mean[row, k] = b1 * mean[row, k] + (one - b1) * g
                square[row, k] = b2 * square[row, k] + (one - b2) * g * g
                table[row, k] -= rate * (mean[row, k] / c1) / (np.sqrt(square[row, k] / c2) + tiny)


def contrast(left, right, temperature):
    """Loss of finding each text's partner among all of the batch, accuracy, and the gradients of both sums."""
    n = len(left)
    ll = np.linalg.norm(left, axis=1, keepdims=True) + 1e-9
    lr = np.linalg.norm(right, axis=1, keepdims=True) + 1e-9
    x, y = left / ll, right / lr
    similarity = x @ y.T
    own = np.diagonal(similarity).copy()
    accuracy = float((similarity.argmax(1) == np.arange(n)).mean())
    weights = np.exp((similarity - 1) / np.float32(temperature))
    rows, columns = weights.sum(1), weights.sum(0)
    target = (own - 1) / temperature
    loss = float(np.mean(np.log(rows) - target) + BACKWARD * np.mean(np.log(columns) - target))
    weights *= (1 / rows)[:, None] + (np.float32(BACKWARD) / columns)[None]
    weights[np.arange(n), np.arange(n)] -= 1 + BACKWARD
    weights *= np.float32(1 / (temperature * n))
    gx, gy = weights @ y, weights.T @ x
    gx = (gx - x * (gx * x).sum(1, keepdims=True)) / ll  # through the division by the length
    gy = (gy - y * (gy * y).sum(1, keepdims=True)) / lr
    return loss, accuracy, gx, gy


class Sampler:
    """Draws batches of pairs. Long documents are drawn more often, up to a limit."""

    def __init__(self, encoded, stage, seed):
        self.corpus, self.stage = pairs.corpus_arrays(encoded), stage
        self.random = np.random.default_rng(seed)
        pairs.seed(seed)
        usable = np.diff(self.corpus.first)
        self.documents = np.flatnonzero(usable)
        share = np.minimum(usable[self.documents], 24)
        self.cumulated = np.cumsum(share / share.sum())
        self.mix = np.cumsum(stage.mix) / np.sum(stage.mix)

    def batch(self):
        """Token numbers and starts of both sides of a batch."""
        s = self.stage
        wanted = 3 * s.batch // s.group  # more than needed, because short documents give fewer pairs
        drawn = np.searchsorted(self.cumulated, self.random.random(wanted))
        drawn = np.minimum(drawn, len(self.documents) - 1)
        chosen = self.documents[drawn[np.sort(np.unique(drawn, return_index=True)[1])]]
        return pairs.draw(self.corpus, chosen, s.group, s.size, self.mix, s.drop, s.keep, s.batch)


class Adam:
    """Gradients and moments of the rows; a step changes only the rows that the batch touched."""

    def __init__(self, table):
        self.table = table
        self.gradient, self.mean, self.square = (np.zeros_like(table) for _ in range(3))
        self.touched = np.zeros(len(table), np.int64)
        self.steps = 0

    def step(self, sides, rate):
        """sides: (ids, start, gradient of each sum) of both texts of the pairs."""
        self.steps += 1
        for ids, start, rows in sides:
            _spread(self.gradient, self.touched, self.steps, ids, start, rows)
        _adam(self.table, self.gradient, self.mean, self.square, self.touched, self.steps, np.float32(rate))


def train(table, encoded, stage, seed):
    """Trains a copy of the table in one run of a stage and returns it."""
    sampler, adam = Sampler(encoded, stage, seed), Adam(np.array(table, np.float32, order="C"))
    table = adam.table
    began, shown = time.time(), None
    for step in range(1, stage.steps + 1):
        rate = stage.rate * min(1, step / WARM_UP) * (1 - (1 - LAST_RATE) * (step - 1) / stage.steps)
        left, left_start, right, right_start = sampler.batch()
        loss, accuracy, gl, gr = contrast(
            _sum_rows(table, left, left_start), _sum_rows(table, right, right_start), stage.temperature
        )
        adam.step([(left, left_start, gl), (right, right_start, gr)], rate)
        now = np.array([loss, accuracy])
        shown = now if shown is None else 0.97 * shown + 0.03 * now
        if step % 200 == 0 or step == stage.steps:
            print(
                f"  seed {seed}, step {step}: loss {shown[0]:.3f}, found {shown[1]:.3f}, {time.time() - began:.0f} s",
                flush=True,
            )
    return table


def train_alone(job):
    """One run with one thread, for a separate process."""
    nb.set_num_threads(1)
    with threadpool_limits(1):
        return train(*job)


def train_stage(table, encoded, stage, seed, processes):
    """The mean of the tables of all runs of a stage.

    Tables that start from one table stay in one valley. Their mean keeps the common part of the runs, and loses the
    noise of the pairs that each run happened to draw (Wortsman et al. 2022). Runs also share two cores without waiting
    for each other, unlike two threads of one run.
    """
    if stage.runs == 1:
        return train(table, encoded, stage, seed)
    jobs = [(table, encoded, stage, seed + i) for i in range(stage.runs)]
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(min(processes, stage.runs), mp_context=context) as pool:
        tables = list(pool.map(train_alone, jobs))
    return np.mean(tables, axis=0, dtype=np.float64).astype(np.float32)


def normal_size(table):
    """The table with rows of mean square length 1: cosines do not change, and one learning rate fits all tables."""
    return table / np.sqrt((table**2).sum(1).mean())
