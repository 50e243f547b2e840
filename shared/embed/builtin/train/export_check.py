"""Writes model.bin as a Model2Vec directory and checks that the model2vec package computes the same vectors.

Model2Vec takes the mean of the rows and normalises it; the product takes the sum. Both give the same direction. With
--reference, also writes token numbers and vectors of varied texts, against which another implementation can be tested.
"""

import argparse
import json
import random
import sys
from pathlib import Path

import numpy as np
from safetensors.numpy import save_file

if __package__ is None:  # run as a file: make the package importable by its own name
    sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
    __package__ = "train"

from . import pack, text

TOLERANCE = 1e-6
SENTENCES = 1000
REFERENCES = 300
ODD = [
    "", " ", "\n\t", "...!?", "—–…", "\u200b\u200d\ufeff", "\x00\x01\x02", "a\x00b\x1fc", "\ufffd",
    "日本語のテキスト", "中文 and English 混在", "漢字かな交じり文。", "한국어 문장", "Привет, мир",
    "مرحبا بالعالم", "שלום", "हिन्दी", "ไทย", "🙂", "I ❤️ Paris 🗼!", "👩‍👩‍👧‍👦 family", "🇩🇪🇫🇷",
    "Straße", "STRASSE", "GROẞE STRAẞE", "ẞ", "İstanbul", "ISTANBUL ıspanak", "Iİıi", "café", "cafe\u0301",
    "naïve coöperation", "na\u0131\u0308ve", "Ångström A\u030angstro\u0308m", "e\u0301\u0302\u0303",
    "\u0301", "ﬁne ﬂuid ofﬁce", "Ⅷ ½ ²³ ①", "１２３ ＡＢＣ", "ǅ Ǆ ǆ", "Σίσυφος ΣΊΣΥΦΟΣ",
    "don't can't o'clock", "state-of-the-art", "e-mail@example.org", "https://example.org/a?b=c#d",
    "C:\\Windows\\System32", "snake_case camelCase PascalCase", "x=y+z*2/3", "$1,234.56 €99 £5 ¥100",
    "50% of 3.14", "a" * 59, "a" * 60, "a" * 61, "antidisestablishmentarianism", "z" * 200,
    "[UNK] [CLS] [SEP]", "##ing ##ed", "non\u00a0breaking\u202fspace", "soft\u00adhyphen",
    "tab\tand\rreturn\nline", "a\u2028b\u2029c", "\ud7a3", "𝒜𝓑𝒞 𝕏", "𠮷野家", "¿Qué? ¡Sí!",
    "“quoted” ‘text’ «guillemets»", "æ œ ø đ ł ß þ ð", "ÆŒØĐŁÞÐ", "`code` ^caret~ |pipe|",
    "1st 2nd 3rd 1990s",
]  # fmt: skip


def export(model, folder):
    """config.json, tokenizer.json and model.safetensors in `folder`."""
    folder.mkdir(parents=True, exist_ok=True)
    config = {"model_type": "model2vec", "architectures": ["StaticModel"], "hidden_dim": model.table.shape[1]}
    config |= {"normalize": True, "seq_length": 1_000_000, "tokenizer_name": pack.NAME}
    (folder / "config.json").write_text(json.dumps(config, indent=1))
    model.tokenizer.save(str(folder / "tokenizer.json"))
    save_file({"embeddings": model.table}, folder / "model.safetensors")


def largest_difference(model, folder, sentences):
    """The largest difference of any component between this package and model2vec."""
    from model2vec import StaticModel  # slow to load, and nothing else needs it

    other = StaticModel.from_pretrained(str(folder)).encode(sentences, max_length=None)
    return float(np.abs(other - model.embed(sentences)).max())


def sample(documents, number, seed=1):
    """Paragraphs, sentences, questions and headings from all over the corpus."""
    rng = random.Random(seed)
    out = []
    for doc in rng.sample(documents, number):
        heading, paragraphs = rng.choice(doc.sections)
        paragraph = rng.choice(paragraphs)
        choice = [doc.title, heading or doc.title, paragraph[:150], paragraph.split(". ")[0], paragraph.upper()[:80]]
        out.append(rng.choice(choice + [q for q, _ in doc.qa]))
    return out


def references(model, documents):
    """Texts with their token numbers and vectors."""
    texts = ODD + [" ".join(" ".join(p for _, ps in d.sections for p in ps).split()[:2000]) for d in documents[:200:50]]
    texts += sample(documents, REFERENCES - len(texts))
    for string, ids, vector in zip(texts, model.ids(texts), model.embed(texts)):
        yield {"text": string, "ids": [int(i) for i in ids], "vector": [float(x) for x in vector]}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model", type=Path, help="model.bin")
    parser.add_argument("--data", type=Path, required=True, help="directory of corpus.jsonl.xz")
    parser.add_argument("--out", type=Path, required=True, help="directory of the Model2Vec files")
    parser.add_argument("--reference", type=Path, help="file for the reference vectors, JSON lines")
    options = parser.parse_args()
    model, documents = pack.read(options.model), text.read_corpus(options.data)
    export(model, options.out)
    difference = largest_difference(model, options.out, sample(documents, SENTENCES))
    print(f"{SENTENCES} sentences, largest difference {difference:.2e}")
    if options.reference:
        with open(options.reference, "w", encoding="utf8") as file:
            for line in references(model, documents):
                file.write(json.dumps(line, ensure_ascii=False) + "\n")
    raise SystemExit(difference > TOLERANCE)


if __name__ == "__main__":
    main()
