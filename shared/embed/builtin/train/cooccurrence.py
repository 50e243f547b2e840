"""The first table: how often words are near each other, reduced to 256 dimensions (PPMI and SVD).

The co-occurrence counts of 45 million words contain knowledge that contrastive training from random rows would have to
learn from a few million pairs. Levy, Goldberg and Dagan (2015) describe the choices made here.
"""

import numba as nb
import numpy as np

from .encoded import counts

CONTEXTS = 16384  # the most frequent tokens serve as contexts
WINDOW = 6  # tokens to each side, weighted by nearness
SUBSAMPLE = 1e-4  # tokens more frequent than this are read less often
CONTEXT_POWER = 0.75  # smooths the frequencies of contexts, so that rare ones do not look informative
SPECTRUM = 0.25  # singular values to this power: flatter than the SVD's own 0.5, where the leading ones dominate
RARITY = 1e-4  # a/(a+p): the weight of a token of frequency p in a text (Arora, Liang and Ma 2017)
SAMPLE = 8000  # passages from which the common component is estimated


@nb.njit(cache=True)
def _count_pairs(ids, start, context, keep, window, seed, out):
    """Adds every pair of kept tokens within the window, by 1 for neighbours down to 1/window."""
    np.random.seed(seed)
    kept = np.empty(1 << 16, np.int32)
    for p in range(len(start) - 1):
        n = 0
        for i in range(start[p], start[p + 1]):
            if np.random.random() < keep[ids[i]] and n < len(kept):
                kept[n] = ids[i]
                n += 1
        for i in range(n):
            for j in range(i + 1, min(n, i + window + 1)):
                weight = np.float32(window + 1 - (j - i)) / np.float32(window)
                a, b = kept[i], kept[j]
                if context[b] >= 0:
                    out[a, context[b]] += weight
                if context[a] >= 0:
                    out[b, context[a]] += weight


def positive_pmi(encoded, seed):
    """The dense matrix of positive pointwise mutual information, tokens × contexts."""
    frequency = counts(encoded)
    size = min(CONTEXTS, encoded.vocabulary)
    context = np.full(encoded.vocabulary, -1, np.int32)
    context[np.argsort(-frequency, kind="stable")[:size]] = np.arange(size)
    share = frequency / frequency.sum()
    keep = np.minimum(1, np.sqrt(SUBSAMPLE / np.maximum(share, 1e-12)))
    table = np.zeros((encoded.vocabulary, size), np.float32)
    _count_pairs(encoded.paragraphs.ids, encoded.paragraphs.start, context, keep, WINDOW, seed, table)
    rows = table.sum(1, dtype=np.float64).astype(np.float32) + np.float32(1e-9)
    columns = table.sum(0, dtype=np.float64) ** CONTEXT_POWER
    columns = np.log(columns / columns.sum()).astype(np.float32)
    for i in range(0, len(table), 1024):
        with np.errstate(divide="ignore"):
            block = np.log(table[i : i + 1024] / rows[i : i + 1024, None]) - columns
        table[i : i + 1024] = np.maximum(block, 0)
    return table


def reduce_dimensions(table, dimensions, seed):
    """Left singular vectors and values of a large matrix (Halko, Martinsson and Tropp 2011)."""
    random = np.random.default_rng(seed)
    test = random.standard_normal((table.shape[1], dimensions + 32), dtype=np.float32)
    basis = np.linalg.qr(table @ test)[0]
    for _ in range(3):
        other = np.linalg.qr(table.T @ basis)[0]
        basis = np.linalg.qr(table @ other)[0]
    u, values, _ = np.linalg.svd(basis.T @ table, full_matrices=False)
    return (basis @ u)[:, :dimensions], values[:dimensions]


def unit(rows):
    """Rows at length 1; a zero row stays zero."""
    return rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-9)


def without_common_component(table, encoded):
    """Removes the direction that all texts share, which distinguishes none of them."""
    lengths = np.diff(encoded.paragraphs.start)
    long = np.flatnonzero(lengths > 30)
    chosen = long[:: max(1, len(long) // SAMPLE)][:SAMPLE]
    texts = unit(np.array([table[encoded.paragraphs[p]].sum(0) for p in chosen]))
    common = np.linalg.svd(texts, full_matrices=False)[2][:1]
    return table - (table @ common.T) @ common


def first_table(encoded, dimensions, seed):
    """A usable table without contrastive training: directions from PPMI-SVD, lengths from rarity."""
    vectors, values = reduce_dimensions(positive_pmi(encoded, seed), dimensions, seed)
    table = unit(vectors * values**SPECTRUM)
    frequency = counts(encoded)
    share = frequency / frequency.sum()
    table *= (RARITY / (RARITY + share))[:, None]
    table[frequency < 3] *= 0.3  # directions from one or two sentences are mostly chance
    return without_common_component(table, encoded).astype(np.float32)
