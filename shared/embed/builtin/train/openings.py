"""Trains the openings of model.bin: a small network that estimates how likely a section begins with a sentence.

Its inputs are the vectors of the surrounding sentences, the first words of two, and their lengths. Its output is the
log odds of a boundary, less the log odds of an average gap. Package topic adds them to its evidence.

Run it after model.bin exists, from the directory above, as `python -m train.openings --data DIR --seam PATH --model
model.bin`. PATH is the program `seam` built with that model. It splits the text into sentences and embeds them as the
product does. model.bin is overwritten.
"""

import argparse
import json
import math
import re
import struct
import subprocess
import tempfile
from collections import Counter
from pathlib import Path

import numpy as np
import torch
from torch import nn

from . import heldout, pack, text

SOURCES = ("wikipedia", "GSA/digitalgov.gov", "MicrosoftDocs/dynamics365smb-docs", "MicrosoftDocs/PowerShell-Docs")
SEED = 1
PROJECTED, WIDTH = 20, 16  # numbers of the projection and of the hidden layer
NEAR, FAR = 3, 8  # sentences on each side
FIRSTS = 255  # first words with their own number; 0 is any other
FIRST_DIM, BEFORE_DIM = 8, 4
SCALARS = 8
EPOCHS, BATCH, RATE, DECAY, DROPOUT = 16, 2048, 0.004, 0.3, 0.2
SCALE = 16.0  # of unit vectors, so that their numbers are about 1
MAGIC = b"SEAMOPN1"
FIRST = re.compile(r"[^\W_]+")


class Article:
    """The sentences of a document, and the indexes of the last sentences of its sections."""

    def __init__(self, source, title):
        self.source, self.title, self.sentences, self.ends = source, title, [], []

    def good(self):
        """Whether the article is long enough, and has sections rather than stubs."""
        lengths = np.diff([-1, *self.ends, len(self.sentences) - 1])
        return len(self.sentences) >= 20 and lengths.mean() >= 3.5 and (lengths >= 3).mean() > 0.6


def read_articles(documents, seam):
    """The articles of documents with at least three sections of three sentences or more."""
    documents = [d for d in documents if d.source in SOURCES]
    paragraphs = [" ".join(p.split()) for d in documents for _, ps in d.sections for p in ps]
    sentences = iter(split(paragraphs, seam))
    articles = []
    for d in documents:
        article, real = Article(d.source, d.title), 0
        for _, ps in d.sections:
            found = [s for _ in ps for s in next(sentences)]
            real += len(found) >= 3
            article.sentences += found
            if found:
                article.ends.append(len(article.sentences) - 1)
        article.ends = article.ends[:-1]
        if real >= 3 and len(article.sentences) <= 600 and article.good():
            articles.append(article)
    return articles


def split(paragraphs, seam):
    """The sentences of each paragraph, as `seam sentences` finds them."""
    with tempfile.NamedTemporaryFile("w", suffix=".txt", encoding="utf8") as file:
        file.write("\n\n".join(paragraphs))
        file.flush()
        lines = subprocess.run([seam, "sentences", file.name], check=True, capture_output=True).stdout.splitlines()
    found = [[] for _ in paragraphs]
    at, i = 0, 0
    ends = np.cumsum([len(p.encode()) + 2 for p in paragraphs])
    for line in lines:
        s = json.loads(line)
        while s["start"] >= ends[i]:
            i += 1
        found[i].append(s["text"])
    return found


def embed(articles, seam):
    """A matrix of the vectors of each article's sentences."""
    with tempfile.TemporaryDirectory() as folder:
        texts, vectors = Path(folder) / "texts.jsonl", Path(folder) / "vectors.npy"
        texts.write_text("".join(json.dumps({"text": s}) + "\n" for a in articles for s in a.sentences), "utf8")
        subprocess.run([seam, "embed", "--embedder", "builtin", "-o", str(vectors), str(texts)], check=True)
        matrix = np.load(vectors)
    cuts = np.cumsum([len(a.sentences) for a in articles])[:-1]
    return np.split(matrix, cuts)


def first_word(sentence):
    """The first run of letters and digits, as it is written."""
    found = FIRST.search(sentence)
    return found.group(0) if found else ""


def features(article, vectors, numbers):
    """For each gap: seven vectors, the scalars, two numbers of first words, and whether a section begins."""
    x = vectors * np.float32(SCALE)
    n = len(x)
    sums = np.concatenate([np.zeros((1, x.shape[1]), np.float32), np.cumsum(x, 0, dtype=np.float64).astype(np.float32)])
    c = np.arange(1, n)

    def mean(a, b):
        a, b = np.clip(a, 0, n), np.clip(b, 0, n)
        return (sums[b] - sums[a]) / (b - a)[:, None].astype(np.float32)

    def cosine(a, b):
        return (a * b).sum(1) / np.maximum(np.linalg.norm(a, axis=1) * np.linalg.norm(b, axis=1), 1e-6)

    after = np.concatenate([x[2:], np.zeros((1, x.shape[1]), np.float32)])
    near, far = (mean(c, c + NEAR), mean(c - NEAR, c)), (mean(c, c + FAR), mean(c - FAR, c))
    length = np.log1p([len(s.encode()) / 5 for s in article.sentences]) / 4
    whole = sums[n][None]
    alike = [cosine(*pair) for pair in ((x[c], x[c - 1]), near, far, (x[c], far[1]), (x[c], whole), (x[c - 1], whole))]
    scalars = np.stack([*alike, length[c], length[c - 1]], 1)
    words = np.array([numbers.get(first_word(s), 0) for s in article.sentences])
    begins = np.zeros(n - 1, np.float32)
    begins[article.ends] = 1
    return [x[c], x[c - 1], after, *near, *far, scalars.astype(np.float32), words[c], words[c - 1], begins]


class Network(nn.Module):
    """Log odds of a boundary; see ../openings.go for the same in the product."""

    def __init__(self, dim):
        super().__init__()
        self.project = nn.Linear(dim, PROJECTED, bias=False)
        self.first, self.before = nn.Embedding(FIRSTS + 1, FIRST_DIM), nn.Embedding(FIRSTS + 1, BEFORE_DIM)
        nn.init.zeros_(self.first.weight)
        nn.init.zeros_(self.before.weight)
        self.hidden = nn.Linear(7 * PROJECTED + SCALARS + FIRST_DIM + BEFORE_DIM, WIDTH)
        self.drop, self.out = nn.Dropout(DROPOUT), nn.Linear(WIDTH, 1)

    def forward(self, here, before, after, near, near_before, far, far_before, scalars, first, first_before):
        p = self.project
        d, e = p(near) - p(near_before), p(far) - p(far_before)
        z = [p(here), p(before), p(after), d, e, d.abs(), e.abs(), scalars, self.first(first), self.before(first_before)]
        return self.out(self.drop(torch.relu(self.hidden(self.drop(torch.cat(z, 1))))))[:, 0]


def train(articles, vectors, numbers, log=print):
    """A network that has seen every gap EPOCHS times."""
    torch.manual_seed(SEED)
    torch.set_num_threads(1)
    parts = [features(a, v, numbers) for a, v in zip(articles, vectors)]
    *inputs, begins = [torch.tensor(np.concatenate(p)) for p in zip(*parts)]
    net = Network(inputs[0].shape[1])
    optimizer = torch.optim.AdamW(net.parameters(), lr=RATE, weight_decay=DECAY)
    batches = len(begins) // BATCH
    for epoch in range(EPOCHS):
        order, total = torch.randperm(len(begins)), 0.0
        for i in range(batches):
            for group in optimizer.param_groups:
                group["lr"] = RATE * (1 - (epoch * batches + i) / (EPOCHS * batches))
            at = order[i * BATCH : (i + 1) * BATCH]
            loss = nn.functional.binary_cross_entropy_with_logits(net(*[t[at] for t in inputs]), begins[at])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            total += loss.item()
        log(f"epoch {epoch}: {total / batches:.4f}")
    return net.eval(), float(begins.mean())


def area(begins, odds):
    """Area under the curve of hits against false alarms."""
    ranks = np.empty(len(odds))
    ranks[np.argsort(odds)] = np.arange(len(odds))
    yes = begins.sum()
    return (ranks[begins > 0].sum() - yes * (yes - 1) / 2) / (yes * (len(odds) - yes))


def evaluate(net, articles, vectors, numbers):
    """The area for each source."""
    found = {}
    for a, v in zip(articles, vectors):
        *inputs, begins = features(a, v, numbers)
        with torch.no_grad():
            odds = net(*[torch.tensor(x) for x in inputs]).numpy()
        found.setdefault(a.source, []).append((begins, odds))
    return {s: round(float(area(*map(np.concatenate, zip(*pairs)))), 3) for s, pairs in found.items()}


def packed(net, share, words):
    """The bytes of a network, little endian: MAGIC, lengths and text of the words, then each matrix as rows × columns, a float32
    scale per row, int8 codes; vectors as float32. The log odds of an average gap are subtracted from the bias."""
    lines = "\n".join(words).encode()
    data = MAGIC + struct.pack("<I", len(lines)) + lines
    for matrix in (net.project.weight * SCALE, net.first.weight, net.before.weight, net.hidden.weight):
        m = matrix.detach().numpy().astype(np.float64)
        scales = (np.abs(m).max(1) / 127).astype("<f4")
        codes = np.rint(m / np.maximum(scales.astype(np.float64), 1e-30)[:, None]).astype(np.int8)
        data += struct.pack("<II", *m.shape) + scales.tobytes() + codes.tobytes()
    bias = float(net.out.bias.detach()) - math.log(share / (1 - share))
    for vector in (net.hidden.bias.detach().numpy(), net.out.weight.detach().numpy()[0], np.array([bias])):
        data += vector.astype("<f4").tobytes()
    return data


def main():
    args = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    args.add_argument("--data", type=Path, required=True, help="the data directory")
    args.add_argument("--seam", default="seam", help="the program")
    args.add_argument("--model", type=Path, default=Path("model.bin"), help="the model to add them to")
    args = args.parse_args()
    documents, _ = text.without_evaluation_data(text.read_corpus(args.data / "train"), args.data)
    documents, held = heldout.split(documents)
    articles, others = read_articles(documents, args.seam), read_articles(held, args.seam)
    print(len(articles), "articles,", sum(len(a.sentences) for a in articles), "sentences;", len(others), "held out", flush=True)
    words = [w for w, _ in Counter(first_word(s) for a in articles for s in a.sentences).most_common(FIRSTS + 1) if w][:FIRSTS]
    numbers = {w: i + 1 for i, w in enumerate(words)}
    net, share = train(articles, embed(articles, args.seam), numbers)
    print("area on held-out documents:", evaluate(net, others, embed(others, args.seam), numbers))
    pack.write_openings(args.model, packed(net, share, words))


if __name__ == "__main__":
    main()
