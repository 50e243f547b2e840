"""Finding passages for questions: Chroma's public questions, ranked by pooled vectors and by fused evidence."""

import json
import math
import re
from collections import Counter, defaultdict
from functools import cache

import numpy as np
from langchain_text_splitters import RecursiveCharacterTextSplitter
from nltk.stem.porter import PorterStemmer

from .cooccurrence import unit

CHUNK = 800  # characters
TOP = 5
STOP = set(
    "a an and are as at be been but by for from had has have he her him his i if in is it its me my no not of on or "
    "our she so that the their them they this to was we were what when which who will with would you your there than "
    "then these those one all can could do did does how why where may more most other some such into out up about "
    "over also".split()
)


class Questions:
    """Chroma's questions with the chunks of all corpora and their BM25 scores."""

    def __init__(self, folder):
        self.questions = json.loads((folder / "questions.json").read_text("utf8"))
        splitter = RecursiveCharacterTextSplitter(
            chunk_size=CHUNK, chunk_overlap=0, separators=["\n\n", "\n", ".", "?", "!", " ", ""], keep_separator=True
        )
        self.chunks = []  # (corpus, start, end, text)
        for corpus in sorted({q["corpus"] for q in self.questions}):
            text = (folder / f"corpora/{corpus}.md").read_text("utf8")
            position = 0
            for piece in splitter.split_text(text):
                start = text.find(piece, max(0, position - 5))
                start = start if start >= 0 else text.find(piece)
                position = start + len(piece)
                self.chunks.append((corpus, start, position, piece))
        self.asked = [q["question"] for q in self.questions]
        self.texts = [c[3] for c in self.chunks]
        self.bm25 = bm25(self.asked, self.texts)

    def recall(self, scores):
        """Share of reference characters in the five best chunks, mean over questions, in per cent."""
        order = np.argsort(-scores, axis=1, kind="stable")[:, :TOP]
        return 100 * float(np.mean([self._recall(q, best) for q, best in zip(self.questions, order)]))

    def _recall(self, question, best):
        wanted = [(r["char_start"], r["char_end"]) for r in question["references"]]
        covered = set()
        for i in best:
            corpus, start, end, _ = self.chunks[i]
            if corpus == question["corpus"]:
                for a, b in wanted:
                    covered.update(range(max(a, start), min(b, end)))
        return len(covered) / sum(b - a for a, b in wanted)


stem = cache(PorterStemmer().stem)


def stems(text):
    """Porter stems of all words except stop words."""
    return [stem(word) for word in re.findall(r"[a-z0-9]+", text.lower()) if word not in STOP]


def bm25(queries, texts, k1=1.2, b=0.75):
    """Scores of all texts for each query."""
    bags = [Counter(stems(t)) for t in texts]
    lengths = np.array([sum(x.values()) for x in bags])
    norm = k1 * (1 - b + b * lengths / lengths.mean())
    postings = defaultdict(list)
    for i, bag in enumerate(bags):
        for word, count in bag.items():
            postings[word].append((i, count))
    out = np.zeros((len(queries), len(texts)))
    for row, query in zip(out, queries):
        for word in stems(query):
            found = postings.get(word, ())
            rarity = math.log(1 + (len(texts) - len(found) + 0.5) / (len(found) + 0.5))
            for i, count in found:
                row[i] += rarity * count * (k1 + 1) / (count + norm[i])
    return out


def best_sentence(model, queries, texts):
    """Cosine of each query with the nearest sentence of each text."""
    owner, sentences = [], []
    for i, text in enumerate(texts):
        for s in re.split(r"(?<=[.?!])\s+|\n+", text):
            if len(s) > 20:
                owner.append(i)
                sentences.append(s)
    similarity = queries @ model.embed(sentences).T
    out = np.full((len(queries), len(texts)), -1.0)
    for column, i in enumerate(owner):
        np.maximum(out[:, i], similarity[:, column], out=out[:, i])
    return out


def soft_lexical(model, queries, texts):
    """Σ over query tokens of rarity × learned weight × best cosine (above 0.2) with a token of the text."""
    weight = np.linalg.norm(model.table, axis=1)
    directions = unit(model.table)
    bags = [np.unique(ids) for ids in model.ids(texts)]
    present = np.bincount(np.concatenate(bags), minlength=len(weight))
    weight = weight * np.log(1 + (len(texts) - present + 0.5) / (present + 0.5))
    out = np.zeros((len(queries), len(texts)))
    for row, ids in zip(out, model.ids(queries)):
        ids = np.unique(ids)
        near = np.maximum(directions[ids] @ directions.T - 0.2, 0) / 0.8
        row[:] = [(weight[ids] * near[:, bag].max(1)).sum() for bag in bags]
    return out


def standard(scores):
    """Each query's scores as z-scores."""
    return (scores - scores.mean(1, keepdims=True)) / (scores.std(1, keepdims=True) + 1e-9)


def score_model(questions, model, fused=True):
    """{ranking: recall in per cent}."""
    asked = model.embed(questions.asked)
    pooled = asked @ model.embed(questions.texts).T
    out = {"pooled": questions.recall(pooled)}
    if fused:
        sentence = pooled + best_sentence(model, asked, questions.texts)
        soft = soft_lexical(model, questions.asked, questions.texts)
        mixed = 0.5 * standard(questions.bm25) + 0.3 * standard(soft) + 0.2 * standard(sentence)
        out["pooled + best sentence"] = questions.recall(sentence)
        out["soft lexical"] = questions.recall(soft)
        out["BM25"] = questions.recall(questions.bm25)
        out["0.5 BM25 + 0.3 soft + 0.2 (pooled + best sentence)"] = questions.recall(mixed)
    return out
