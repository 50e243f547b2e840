"""Boundaries from sentence vectors alone, and their errors: how well a table finds topics."""

import json
import math
from collections import defaultdict
from fractions import Fraction

import numpy as np

LONGEST = 30  # sentences in a segment, in the plain programme
WINDOW = 128  # sentences in a segment, in the product's evidence
BAND = 40  # pairs at most this far apart give mean and deviation of the similarity


def read_documents(folder):
    """The public documents: id, set, sentences, boundaries (a segment ends after sentence i)."""
    out = []
    for doc in json.loads((folder / "refs.json").read_text("utf8"))["docs"]:
        raw = (folder / doc["file"]).read_bytes()
        sentences = [raw[a:b].decode() for a, b in doc["sentences"]]
        out.append({"id": doc["id"], "set": doc["set"], "sentences": sentences, "boundaries": doc["boundaries"]})
    return out


def best_cuts(gain, penalty):
    """Last sentences of the segments with the largest Σ gain[first, length - 1] − penalty; ties: the short last one."""
    n, window = gain.shape
    best, back = np.full(n + 1, -np.inf), np.zeros(n + 1, int)
    best[0] = 0
    for end in range(1, n + 1):
        starts = np.arange(end - 1, max(0, end - window) - 1, -1)
        values = best[starts] + gain[starts, end - 1 - starts] - penalty
        i = int(np.argmax(values))
        best[end], back[end] = values[i], starts[i]
    cuts, end = [], back[n]
    while end > 0:
        cuts.append(int(end) - 1)
        end = back[end]
    return cuts[::-1]


def pair_sums(similarity, window):
    """sums[a, l] = Σ over ordered pairs i ≠ j of the sentences a..a+l, −inf beyond the document."""
    n = len(similarity)
    total = np.zeros((n + 1, n + 1))
    total[1:, 1:] = np.where(np.eye(n, dtype=bool), 0, similarity).cumsum(0).cumsum(1)
    out = np.full((n, window), -np.inf)
    for length in range(min(window, n)):
        a = np.arange(n - length)
        b = a + length + 1
        out[a, length] = total[b, b] - total[a, b] - total[b, a] + total[a, a]
    return out


def plain(vectors):
    """The study's measure: Σ of (similarity − mean − 0.3 σ) inside segments of at most 30 sentences, no penalty."""
    similarity = vectors @ vectors.T
    pairs = similarity[np.triu_indices(len(vectors), 1)]
    return best_cuts(pair_sums(similarity - pairs.mean() - 0.3 * pairs.std(), LONGEST), 0.0)


def evidence(vectors):
    """The product's vector evidence alone, with its automatic penalty (granularity 1)."""
    n = len(vectors)
    similarity = vectors @ vectors.T
    near = np.concatenate([np.diagonal(similarity, k) for k in range(1, min(BAND, n - 1) + 1)])
    window = min(WINDOW, n)
    lengths = np.arange(1, window + 1)
    gain = pair_sums(similarity - near.mean(), window) / (lengths * max(near.std(), 1e-9))
    return best_cuts(gain, math.log(max(2, window)))


METHODS = {"plain": plain, "E": evidence}


def errors(n, reference, found):
    """Pk and WindowDiff, as tools/score_segmentation.py defines them."""
    k = max(2, round(Fraction(n, len(reference) + 1) / 2))
    if n <= k:
        return 0.0, 0.0
    labels = []
    for bounds in (reference, found):
        cut = np.zeros(n, int)
        cut[[b + 1 for b in bounds]] = 1
        labels.append(np.cumsum(cut))
    ref, hyp = (x[k:] - x[:-k] for x in labels)
    return float(np.mean((ref == 0) != (hyp == 0))), float(np.mean(ref != hyp))


def score(documents, vectors):
    """{method: {set: (Pk, WindowDiff)}} in per cent; "mean" is the mean of the sets."""
    out = {}
    for name, method in METHODS.items():
        sets = defaultdict(list)
        for doc, rows in zip(documents, vectors):
            found = method(np.asarray(rows, np.float64))
            sets[doc["set"]].append(errors(len(doc["sentences"]), doc["boundaries"], found))
        out[name] = {s: tuple(100 * np.mean(v, axis=0)) for s, v in sets.items()}
        out[name]["mean"] = tuple(np.mean(list(out[name].values()), axis=0))
    return out


def score_model(documents, model):
    """score with the vectors of a model."""
    return score(documents, [model.embed(doc["sentences"]) for doc in documents])
