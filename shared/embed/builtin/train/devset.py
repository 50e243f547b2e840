"""A development set of held-out training documents, similar to the tasks of users.

Segmentation: articles with sections ("wiki"), technical pages joined ("tech"), sections of unrelated articles joined
("joined"). Retrieval: questions and headings against all held-out passages, whole and without the easy ones.
"""

import random
import re

import numpy as np

from .retrieval import stems

TECHNICAL = ("MicrosoftDocs/dynamics365smb-docs", "MicrosoftDocs/PowerShell-Docs")
SENTENCE = re.compile(r"(?<=[.?!])[\"')\]]*\s+(?=[\"'(\[]?[A-Z0-9])")
PASSAGE = 130  # words
EASY = 0.4  # a query that shares more of its stems with its passage is left out of the "hard" figures


def sentences(paragraphs):
    """Sentences of at least four words."""
    return [s for p in paragraphs for s in SENTENCE.split(p) if len(s.split()) >= 4]


def joined(groups, name, number):
    """A document whose segments are the given lists of sentences."""
    ends = np.cumsum([len(g) for g in groups])
    return {
        "id": f"{name}-{number}",
        "set": name,
        "sentences": [s for g in groups for s in g],
        "boundaries": [int(e) - 1 for e in ends[:-1]],
    }


def segmentation(documents, seed=1):
    """About 60 documents of each of the three kinds."""
    rng = random.Random(seed)
    wiki, technical, short = [], [], []
    for doc in documents:
        groups = [s for s in (sentences(ps) for _, ps in doc.sections) if len(s) >= 3]
        if doc.source == "wikipedia":
            short += groups
            if len(groups) >= 3:
                wiki.append(groups)
        elif doc.source in TECHNICAL and len(groups) >= 3:
            technical.append(groups)
    out = [joined(g[:12], "dev-wiki", i) for i, g in enumerate(wiki) if sum(map(len, g[:12])) <= 250][:80]
    out += [joined(g[:14], "dev-tech", i) for i, g in enumerate(technical)][:80]
    for i in range(60):
        parts = []
        for group in rng.sample(short, 10):
            size = rng.randint(3, 11)
            parts.append(group[:size])
        out.append(joined(parts, "dev-joined", i))
    return out


class Retrieval:
    """Queries with the number of the one passage that answers each; all passages are candidates for all queries."""

    def __init__(self, documents):
        self.passages, self.queries = [], {"question": [], "heading": [], "sentence": []}
        known = {}
        for doc in documents:
            for question, answer in doc.qa:
                passage = " ".join(answer.split()[:PASSAGE])
                self._add("question", question, passage, known)
            for heading, paragraphs in doc.sections:
                words = " ".join(paragraphs).split()
                if doc.source != "abachaa/MedQuAD" and len(words) >= 40:
                    for i in range(0, len(words), PASSAGE):
                        passage = " ".join(words[i : i + PASSAGE])
                        number = known.setdefault(passage, len(self.passages))
                        if number == len(self.passages):
                            self.passages.append(passage)
                    if heading and len(heading.split()) >= 2:
                        self._add("heading", f"{doc.title}: {heading}", " ".join(words[:PASSAGE]), known)
                    middle = sentences(paragraphs)[1:2]
                    if middle and len(doc.sections) < 40:
                        self._add("sentence", middle[0], " ".join(words[:PASSAGE]).replace(middle[0], " "), known)
        hard = {}
        for kind, pairs in self.queries.items():
            hard[kind + ", hard"] = [(q, i) for q, i in pairs if self._overlap(q, i) <= EASY]
        self.queries.update(hard)

    def _add(self, kind, query, passage, known):
        number = known.setdefault(passage, len(self.passages))
        if number == len(self.passages):
            self.passages.append(passage)
        self.queries[kind].append((query, number))

    def _overlap(self, query, number):
        asked = set(stems(query))
        return len(asked & set(stems(self.passages[number]))) / max(1, len(asked))

    def score(self, model):
        """{kind: mean reciprocal rank in per cent}."""
        passages = model.embed(self.passages)
        out = {}
        for kind, pairs in self.queries.items():
            pairs = pairs[:: max(1, len(pairs) // 1500)]
            similarity = model.embed([q for q, _ in pairs]) @ passages.T
            own = similarity[np.arange(len(pairs)), [i for _, i in pairs]]
            ranks = (similarity > own[:, None]).sum(1) + 1
            out[kind] = 100 * float(np.mean(1 / ranks))
        return out
