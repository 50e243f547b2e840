"""STS-B: does the cosine of two sentences follow human judgements of their similarity?"""

import csv

from scipy.stats import spearmanr


def score_model(folder, model):
    """{part: Spearman's rank correlation in per cent}, from stsb-en-dev.csv and stsb-en-test.csv."""
    out = {}
    for part in ("dev", "test"):
        with open(folder / f"stsb-en-{part}.csv", encoding="utf8", newline="") as file:
            rows = list(csv.reader(file))
        one, other = model.embed([r[0] for r in rows]), model.embed([r[1] for r in rows])
        out[part] = 100 * float(spearmanr((one * other).sum(1), [float(r[2]) for r in rows])[0])
    return out
