"""Pairs of texts that belong together, drawn from the encoded corpus for contrastive training.

All samplers write token numbers into flat buffers. A batch is two ragged arrays, texts and their partners. Pairs of one
document are in the same batch, so that its other passages are hard negatives of each.
"""

from collections import namedtuple

import numba as nb
import numpy as np

# input of the samplers: Encoded as a tuple of arrays, because compiled code knows no dataclasses
Corpus = namedtuple(
    "Corpus", "ids start section document stop heading heading_start title title_start "
    "question question_start answer answer_start usable first"
)  # fmt: skip

HEADING, CLOZE, NEIGHBOUR, SENTENCE, ANSWER = range(5)
SHORTEST = 24  # tokens of a paragraph that is drawn
LONGEST_QUERY = 60  # tokens


def corpus_arrays(encoded):
    """The arrays of Encoded, with the paragraphs long enough to draw and the place where each document's begin."""
    lengths = np.diff(encoded.paragraphs.start)
    usable = np.flatnonzero(lengths >= SHORTEST)
    documents = len(encoded.titles)
    stop = np.zeros(encoded.vocabulary, np.bool_)
    stop[encoded.sentence_end] = True
    return Corpus(
        encoded.paragraphs.ids, encoded.paragraphs.start, encoded.section, encoded.document, stop,
        encoded.headings.ids, encoded.headings.start, encoded.titles.ids, encoded.titles.start,
        encoded.questions.ids, encoded.questions.start, encoded.answers.ids, encoded.answers.start,
        usable, np.searchsorted(encoded.document[usable], np.arange(documents + 1)),
    )  # fmt: skip


@nb.njit(cache=True)
def seed(value):
    """Seeds the generator of the compiled samplers, which is separate from numpy's."""
    np.random.seed(value)


@nb.njit(cache=True)
def _copy(ids, begin, end, out, n):
    for i in range(begin, end):
        out[n] = ids[i]
        n += 1
    return n


@nb.njit(cache=True)
def _window(begin, end, size):
    """A random stretch of at most `size` tokens."""
    if end - begin > size:
        begin += np.random.randint(end - begin - size + 1)
    return begin, min(end, begin + size)


@nb.njit(cache=True)
def _sentence(c, begin, end, at):
    """The sentence around token `at`, cut to about 45 tokens."""
    a = at
    while a > begin and not c.stop[c.ids[a - 1]] and at - a < 30:
        a -= 1
    b = at + 1
    while b < end and not c.stop[c.ids[b - 1]] and b - a < 45:
        b += 1
    return a, b


@nb.njit(cache=True)
def _answer_pair(c, size, left, n, right, m):
    q = np.random.randint(len(c.question_start) - 1)
    begin = c.question_start[q]
    n = _copy(c.question, begin, min(c.question_start[q + 1], begin + LONGEST_QUERY), left, n)
    begin, end = c.answer_start[q], c.answer_start[q + 1]
    if np.random.random() < 0.3:
        begin, end = _window(begin, end, size)
    return n, _copy(c.answer, begin, min(end, begin + size), right, m)


@nb.njit(cache=True)
def _heading_pair(c, p, size, left, n, right, m):
    d, s = c.document[p], c.section[p]
    if np.random.random() < 0.7:
        n = _copy(c.title, c.title_start[d], min(c.title_start[d + 1], c.title_start[d] + 20), left, n)
    n = _copy(c.heading, c.heading_start[s], min(c.heading_start[s + 1], c.heading_start[s] + 20), left, n)
    begin, end = _window(c.start[p], c.start[p + 1], size)
    return n, _copy(c.ids, begin, end, right, m)


@nb.njit(cache=True)
def _neighbour_pair(c, p, size, left, n, right, m):
    n = _copy(c.ids, max(c.start[p], c.start[p + 1] - LONGEST_QUERY), c.start[p + 1], left, n)
    return n, _copy(c.ids, c.start[p + 1], min(c.start[p + 2], c.start[p + 1] + size), right, m)


@nb.njit(cache=True)
def _sentence_pair(c, p, left, n, right, m):
    """Two sentences near each other: the unit in which boundaries are decided."""
    begin, end = c.start[p], c.start[p + 1]
    a, b = _sentence(c, begin, end, begin + np.random.randint(end - begin))
    n = _copy(c.ids, a, b, left, n)
    before, after = a - begin, end - b
    if after >= 6 and (before < 6 or np.random.random() < 0.5):
        x, y = _sentence(c, b, end, b + min(after - 1, np.random.randint(90)))
    elif before >= 6:
        x, y = _sentence(c, begin, a, max(begin, a - 1 - np.random.randint(90)))
    else:
        x, y = begin, end
    return n, _copy(c.ids, x, y, right, m)


@nb.njit(cache=True)
def _cloze_pair(c, p, size, drop, keep, left, n, right, m):
    """A sentence with words dropped, and the passage around it, without the sentence unless kept."""
    begin, end = _window(c.start[p], c.start[p + 1], size)
    a, b = _sentence(c, begin, end, begin + np.random.randint(max(1, end - begin - 8)))
    d, first = c.document[p], n
    if np.random.random() < 0.25:  # the title gives context, as a question would
        n = _copy(c.title, c.title_start[d], min(c.title_start[d + 1], c.title_start[d] + 12), left, n)
    missing = drop + 0.4 * np.random.random()
    for i in range(a, b):
        if np.random.random() > missing:
            left[n] = c.ids[i]
            n += 1
    if n == first:
        n = _copy(c.ids, a, a + 1, left, n)
    if np.random.random() < keep or end - begin - (b - a) < 5:
        return n, _copy(c.ids, begin, end, right, m)
    return n, _copy(c.ids, b, end, right, _copy(c.ids, begin, a, right, m))


@nb.njit(cache=True)
def draw(c, documents, group, size, mix, drop, keep, pairs):
    """`pairs` pairs from the given documents, at most `group` of each; mix: cumulated shares of the kinds.

    Returns left ids, left starts, right ids, right starts.
    """
    left = np.empty(pairs * 120, np.uint16)
    right = np.empty(pairs * (size + 2), np.uint16)
    left_start, right_start = np.zeros(pairs + 1, np.int64), np.zeros(pairs + 1, np.int64)
    k = n = m = 0
    for d in documents:
        count = c.first[d + 1] - c.first[d]
        offset, step = np.random.randint(count), max(1, count // group)
        for j in range(min(count, group)):
            if k == pairs:
                break
            p = c.usable[c.first[d] + (offset + j * step) % count]
            kind = np.searchsorted(mix, np.random.random())
            if kind == ANSWER:
                n, m = _answer_pair(c, size, left, n, right, m)
            elif kind == HEADING and c.heading_start[c.section[p] + 1] > c.heading_start[c.section[p]]:
                n, m = _heading_pair(c, p, size, left, n, right, m)
            elif kind == NEIGHBOUR and p + 2 < len(c.start) and c.section[p + 1] == c.section[p]:
                n, m = _neighbour_pair(c, p, size, left, n, right, m)
            elif kind == SENTENCE:
                n, m = _sentence_pair(c, p, left, n, right, m)
            else:
                n, m = _cloze_pair(c, p, size, drop, keep, left, n, right, m)
            k += 1
            left_start[k], right_start[k] = n, m
    return left[:n], left_start[: k + 1], right[:m], right_start[: k + 1]
