"""A token table in use: text → vector, as the product does it."""

import numpy as np

from .cooccurrence import unit
from .tokenizer import encode_stream


class Model:
    """A tokenizer and a table with one row per token; a text is the direction of the sum of its rows."""

    def __init__(self, tokenizer, table):
        self.tokenizer = tokenizer
        self.table = np.asarray(table, np.float32)

    def ids(self, texts):
        """Token numbers of each text, unknown tokens dropped."""
        return list(encode_stream(self.tokenizer, texts))

    def sums(self, texts):
        """The sum of the rows of each text."""
        out = np.zeros((len(texts), self.table.shape[1]), np.float32)
        for row, ids in zip(out, self.ids(texts)):
            row += self.table[ids].sum(0)
        return out

    def embed(self, texts):
        """Unit vectors; a text without known tokens has the zero vector."""
        return unit(self.sums(texts))
