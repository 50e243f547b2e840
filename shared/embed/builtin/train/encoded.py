"""The training text as arrays of token numbers, the input of the compiled samplers."""

from dataclasses import dataclass

import numpy as np

from .tokenizer import encode_stream

ANSWER = 3000  # characters of an answer that are read; a passage is cut from them


@dataclass
class Ragged:
    """Many short arrays in one: array i is ids[start[i]:start[i + 1]]."""

    ids: np.ndarray
    start: np.ndarray

    @classmethod
    def of(cls, arrays):
        arrays = list(arrays)
        start = np.zeros(len(arrays) + 1, np.int64)
        np.cumsum([len(a) for a in arrays], out=start[1:])
        ids = np.concatenate(arrays) if arrays else np.zeros(0)
        return cls(ids.astype(np.uint16), start)

    def __getitem__(self, i):
        return self.ids[self.start[i] : self.start[i + 1]]

    def __len__(self):
        return len(self.start) - 1


@dataclass
class Encoded:
    """Paragraphs with their section and document, headings and titles, questions and answers."""

    paragraphs: Ragged
    section: np.ndarray  # of each paragraph
    document: np.ndarray  # of each paragraph
    headings: Ragged  # by section
    titles: Ragged  # by document
    questions: Ragged
    answers: Ragged
    sentence_end: np.ndarray  # numbers of the tokens . ? !
    vocabulary: int


def encode(tokenizer, documents):
    """Encodes every text of the documents once."""
    paragraphs, section, document, headings = [], [], [], []
    for number, doc in enumerate(documents):
        for heading, texts in doc.sections:
            paragraphs += texts
            section += [len(headings)] * len(texts)
            document += [number] * len(texts)
            headings.append(heading)
    pairs = [pair for doc in documents for pair in doc.qa]

    def ragged(texts):
        return Ragged.of(encode_stream(tokenizer, texts))

    return Encoded(
        paragraphs=ragged(paragraphs),
        section=np.array(section, np.int32),
        document=np.array(document, np.int32),
        headings=ragged(headings),
        titles=ragged(doc.title for doc in documents),
        questions=ragged(question for question, _ in pairs),
        answers=ragged(answer[:ANSWER] for _, answer in pairs),
        sentence_end=np.array([tokenizer.token_to_id(c) for c in ".?!"], np.uint16),
        vocabulary=tokenizer.get_vocab_size(),
    )


def counts(encoded):
    """How often each token occurs in the paragraphs."""
    return np.bincount(encoded.paragraphs.ids, minlength=encoded.vocabulary).astype(np.float64)
