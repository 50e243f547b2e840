"""Trains the built-in model: corpus → vocabulary → first table → contrastive training → four bits → model.bin.

Run from the directory above as `python -m train --data DIR --out DIR` or as `python train/train.py …`. DIR is the data
directory with train/corpus.jsonl.xz (or .jsonl) and the evaluation data that must be kept out of training.
"""

import argparse
import pickle
import sys
import time
from pathlib import Path

if __package__ is None:  # run as a file: make the package importable by its own name
    sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
    __package__ = "train"

import numba
from threadpoolctl import threadpool_limits

from . import contrastive, cooccurrence, heldout, inflection, pack, quantize, recipe, text, tokenizer
from .encoded import counts, encode


def log(message):
    """A line with the seconds since the start and the CPU seconds used."""
    print(f"{time.time() - log.began:6.0f} s, CPU {time.process_time():6.0f} s: {message}", flush=True)


log.began = time.time()


class Work:
    """Keeps the result of each long step, so that an interrupted run can continue."""

    def __init__(self, folder):
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)

    def keep(self, name, make):
        """The result named `name`, computed if it does not exist yet."""
        path = self.folder / f"{name}.pickle"
        if path.exists():
            log(f"{name}: as it was")
            return pickle.loads(path.read_bytes())
        result = make()
        path.write_bytes(pickle.dumps(result, protocol=5))
        log(f"{name}: done")
        return result


def read_documents(data):
    """The documents to train on."""
    documents, report = text.without_evaluation_data(text.read_corpus(data / "train"), data)
    log(f"left out by title: {report['title']}; by passages: {report['passages']}; questions: {report['questions']}")
    documents, held = heldout.split(documents)
    log(f"{len(documents)} documents to train on, {len(held)} held out")
    return documents


def train_table(first, encoded, pieces, work, processes):
    """The stages of recipe.py one after the other; after the first one, the forms of each word are moved together."""
    table = contrastive.normal_size(first)
    for number, stage in enumerate(recipe.STAGES):
        if number == 1:
            table = inflection.share_between_forms(table, pieces, counts(encoded))
        seed = recipe.SEED + 100 * number
        table = work.keep(f"stage-{number}", lambda: contrastive.train_stage(table, encoded, stage, seed, processes))
    return table


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help="the data directory")
    parser.add_argument("--out", type=Path, required=True, help="where model.bin and its lists go")
    parser.add_argument("--work", type=Path, help="where results of single steps are kept (default: OUT/work)")
    parser.add_argument("--threads", type=int, default=2)
    options = parser.parse_args()
    numba.set_num_threads(min(options.threads, numba.config.NUMBA_NUM_THREADS))
    work = Work(options.work or options.out / "work")
    with threadpool_limits(options.threads):
        documents = read_documents(options.data)
        serialised = work.keep(
            "tokenizer", lambda: tokenizer.train_tokenizer(documents, recipe.VOCABULARY, recipe.SURPLUS).to_str()
        )
        tok = tokenizer.Tokenizer.from_str(serialised)
        encoded = work.keep("encoded", lambda: encode(tok, documents))
        log(f"{len(encoded.paragraphs.ids)} tokens, {len(encoded.questions)} questions")
        first = work.keep("first", lambda: cooccurrence.first_table(encoded, recipe.DIMENSIONS, recipe.SEED))
        table = train_table(first, encoded, tokenizer.pieces_in_order(tok), work, options.threads)
    levels = quantize.learn_levels(table)
    scales, codes = quantize.fit_scales(table, levels)
    options.out.mkdir(parents=True, exist_ok=True)
    pack.write(options.out / "model.bin", tok, scales, codes, levels)
    text.write_titles(documents, options.out / "titles.txt.gz")
    text.write_questions(documents, options.out / "questions.bin")
    log("model.bin written")


if __name__ == "__main__":
    main()
