"""python vocabulary.py CORPUS.jsonl.xz TEACHER OUT: the word pieces of the teacher that the student keeps.

It keeps 26,000: the special ones, every single letter, digit and mark of Latin script (so that hardly any word becomes unknown), and the
pieces used most in the corpus (every fourth document of Wikipedia). OUT gets tokenizer.json and rows.npy, the rows of the teacher's
table."""

import argparse
import json
import lzma
import pathlib

import numpy as np
from tokenizers import Tokenizer

SIZE = 26_000
SPECIAL = {"[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"}


def counts_of(corpus, tokenizer):
    counts, waiting = np.zeros(tokenizer.get_vocab_size(), np.int64), []

    def flush():
        for e in tokenizer.encode_batch(waiting, add_special_tokens=False):
            np.add.at(counts, np.array(e.ids, np.int64), 1)
        waiting.clear()

    for number, line in enumerate(lzma.open(corpus, "rt")):
        d = json.loads(line)
        if d["source"] == "wikipedia" and number % 4:
            continue
        waiting += [x for x in [d["title"], *(h for h, _ in d["sections"]), *(p for _, ps in d["sections"] for p in ps), *(x for qa in d.get("qa") or [] for x in qa)] if x]
        if len(waiting) > 2000:
            flush()
    flush()
    return counts


def worth(token, count):
    core = token.removeprefix("##")
    if token in SPECIAL:
        return 1e18
    if token.startswith("[unused"):
        return -1
    if len(core) == 1 and ord(core) < 0x250:
        return 1e17
    return count + (0.5 if core.isascii() else 0)


def main():
    a = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    a.add_argument("corpus")
    a.add_argument("teacher", type=pathlib.Path)
    a.add_argument("out", type=pathlib.Path)
    a = a.parse_args()
    tokenizer = Tokenizer.from_file(str(a.teacher / "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.no_truncation()
    counts = counts_of(a.corpus, tokenizer)
    names = sorted(tokenizer.get_vocab(), key=tokenizer.get_vocab().get)
    order = sorted(range(len(names)), key=lambda i: -worth(names[i], counts[i]))
    rows = sorted(order[:SIZE])
    print(f"{counts[order[SIZE:]].sum() / counts.sum():.4%} of the tokens of the corpus are in no kept piece")

    new = {names[row]: i for i, row in enumerate(rows)}
    j = json.loads((a.teacher / "tokenizer.json").read_text())
    j["model"]["vocab"] = new
    for token in j["added_tokens"]:
        token["id"] = new[token["content"]]
    for special in j["post_processor"].get("special_tokens", {}).values():
        special["ids"] = [new[t] for t in special["tokens"]]
    j["truncation"] = j["padding"] = None
    a.out.mkdir(parents=True, exist_ok=True)
    (a.out / "tokenizer.json").write_text(json.dumps(j, ensure_ascii=False))
    np.save(a.out / "rows.npy", np.array(rows))


if __name__ == "__main__":
    main()
