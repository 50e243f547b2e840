"""Prints every measure of a model: retrieval, sentence similarity, boundaries.

The directory of the evaluation data is SEAM_DATA or --data. Sentence vectors of another embedder can be scored in the
same programme for comparison: --vectors takes JSON lines {"id": document, "vectors": [[…], …]} of the public documents.
"""

import argparse
import json
import os
import sys
from pathlib import Path

import numpy as np

if __package__ is None:  # run as a file: make the package importable by its own name
    sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
    __package__ = "train"

from . import devset, heldout, pack, retrieval, segmentation, sts, text


def print_segmentation(name, scores):
    """Pk and WindowDiff of every set, one line per method."""
    for method, sets in scores.items():
        print(f"  {name}, {method}: Pk/WD " + ", ".join(f"{s} {pk:.1f}/{wd:.1f}" for s, (pk, wd) in sets.items()))


def print_scores(scores):
    """One line of named figures."""
    print("  " + ", ".join(f"{name} {value:.1f}" for name, value in scores.items()))


def public(model, data, sts_folder=None):
    """The measures on public data."""
    print("Retrieval, Chroma's public part: recall of reference characters, 5 of the 800-character chunks")
    print_scores(retrieval.score_model(retrieval.Questions(data / "chunking_eval"), model))
    if sts_folder:
        print("STS-B, Spearman")
        print_scores(sts.score_model(sts_folder, model))
    print("Segmentation, 60 public documents")
    print_segmentation("model", segmentation.score_model(segmentation.read_documents(data / "segmentation"), model))


def development(model, documents):
    """The measures on held-out documents; only meaningful for a model trained without them."""
    print("Development set: mean reciprocal rank among held-out passages")
    print_scores(devset.Retrieval(documents).score(model))
    print("Development set: segmentation")
    print_segmentation("model", segmentation.score_model(devset.segmentation(documents), model))


def read_vectors(path, documents):
    """Sentence vectors of another embedder, in the order of the documents."""
    with open(path, encoding="utf8") as lines:
        vectors = {r["id"]: np.array(r["vectors"]) for r in map(json.loads, lines)}
    return [vectors[d["id"]] for d in documents]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model", type=Path, nargs="?", help="model.bin")
    parser.add_argument("--data", type=Path, default=os.environ.get("SEAM_DATA"), help="default: SEAM_DATA")
    parser.add_argument("--sts", type=Path, help="directory of stsb-en-dev.csv and stsb-en-test.csv")
    parser.add_argument("--dev", action="store_true", help="also the development set, for a model trained without it")
    parser.add_argument("--vectors", type=Path, help="sentence vectors of another embedder to score too")
    options = parser.parse_args()
    if not options.data:
        parser.error("--data or SEAM_DATA is needed")
    data = Path(options.data)
    if options.vectors:
        documents = segmentation.read_documents(data / "segmentation")
        print_segmentation("other", segmentation.score(documents, read_vectors(options.vectors, documents)))
    if options.model:
        model = pack.read(options.model)
        public(model, data, options.sts)
        if options.dev:
            documents, _ = text.without_evaluation_data(text.read_corpus(data / "train"), data)
            development(model, heldout.split(documents)[1])


if __name__ == "__main__":
    main()
