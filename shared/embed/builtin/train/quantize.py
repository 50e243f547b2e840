"""Four bits per weight: one scale per row, one codebook of 16 levels for all rows."""

import numpy as np

ROUNDS = 6  # of alternating between codes and scales


def nearest(values, levels):
    """The number of the nearest level of each value; levels ascend."""
    return np.searchsorted((levels[1:] + levels[:-1]) / 2, values).astype(np.uint8)


def fit_scales(table, levels, start=None):
    """Scales and codes of the rows by least squares, from the best of several clips."""
    peak = np.abs(table).max(1) / np.abs(levels).max() + 1e-12
    best = None
    for clip in (0.5, 0.6, 0.7, 0.8, 0.9, 1.0):
        scale = peak * clip
        for _ in range(3):
            codes = nearest(table / scale[:, None], levels)
            chosen = levels[codes]
            scale = (chosen * table).sum(1) / np.maximum((chosen * chosen).sum(1), 1e-12)
            scale = np.where(scale > 0, scale, 1e-12)
        error = ((chosen * scale[:, None] - table) ** 2).sum(1)
        if best is None:
            best = [scale, codes, error]
        better = error < best[2]
        for old, new in zip(best, (scale, codes, error)):
            old[better] = new[better]
    return best[0].astype(np.float32), best[1]


def learn_levels(table):
    """16 levels for the weights of these rows, each row at deviation 1 (Lloyd 1982, Max 1960)."""
    deviation = np.sqrt((table**2).mean(1)) + 1e-12
    values = np.sort((table / deviation[:, None]).ravel()[::7].astype(np.float64))
    levels = np.interp((np.arange(16) + 0.5) / 16, np.linspace(0, 1, len(values)), values)
    sums = np.concatenate([[0], np.cumsum(values)])
    for _ in range(200):
        edges = np.concatenate([[0], np.searchsorted(values, (levels[1:] + levels[:-1]) / 2), [len(values)]])
        levels = (sums[edges[1:]] - sums[edges[:-1]]) / np.maximum(np.diff(edges), 1)
    return levels.astype(np.float32)


def rebuild(scales, codes, levels):
    """The table as read from the file."""
    return (scales[:, None] * np.asarray(levels, np.float32)[codes]).astype(np.float32)
