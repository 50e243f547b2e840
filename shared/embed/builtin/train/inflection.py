"""Moves the forms of a word near each other.

The table sees "string" and "strings" as unrelated words: trained on their contexts alone, two forms of one word had a
mean cosine of 0.36. So half of each row is replaced by the mean of all forms before the last stages, which separate
unrelated words of one stem again ("organ", "organization").
"""

import numpy as np
from nltk.stem.porter import PorterStemmer

SHARED = 0.5  # of each row comes from all forms together
SHORTEST = 4  # letters; shorter words share a stem by chance


def share_between_forms(table, pieces, frequency):
    """The table with rows of one Porter stem moved towards their mean, weighted by the root of the frequency."""
    stem, forms = PorterStemmer().stem, {}
    for number, piece in enumerate(pieces):
        if piece.isalpha() and len(piece) >= SHORTEST:
            forms.setdefault(stem(piece), []).append(number)
    table = table.copy()
    for rows in forms.values():
        weight = np.sqrt(frequency[rows] + 1)[:, None]
        mean = (table[rows] * weight).sum(0) / weight.sum()
        table[rows] = (1 - SHARED) * table[rows] + SHARED * mean
    return table.astype(np.float32)
