"""python student.py TEACHER DATA OUT --minutes M: a student of two layers, by regression to the teacher's vectors.

TEACHER is the folder of all-MiniLM-L6-v2. DATA has the output of texts.py, vocabulary.py and the teacher: short.jsonl and short.npy,
passages.jsonl and passages.npy, held.jsonl and held.npy, tokenizer.json, rows.npy. OUT becomes a sentence-transformers folder, written
every 300 steps; --from OUT continues from one. The rate falls with the elapsed time, so a slower machine takes fewer steps."""

import argparse
import json
import math
import pathlib
import random
import time

import numpy as np
import torch
import torch.nn.functional as F
from safetensors.torch import load_file, save_file
from tokenizers import Tokenizer

WIDTH, HEADS, WINDOW = 384, 12, 256
LAYERS = (0, 5)  # of the teacher, which the student starts with
GROUP = 32  # numbers that share a step in the packed file
WORDS = "embeddings.word_embeddings.weight"
TYPOS = 0.12  # share of short texts with a typing error; they have the vector of the correct text
DEV_PASSAGES = 400  # excluded from training


class Round(torch.autograd.Function):
    """Rounds to 4 bits as in ../../encoder/group4.go; gradients ignore the rounding."""

    @staticmethod
    def forward(ctx, w):
        x = w.reshape(-1, GROUP)
        step = (x.abs().amax(1, keepdim=True) / 7.5).bfloat16().float() + 1e-20
        return (x / step).round_().clamp_(-7, 7).mul_(step).reshape(w.shape)

    @staticmethod
    def backward(ctx, g):
        return g


def forward(p, ids, mask, rounded):
    """Vectors of length 1 of a batch; with rounded, as the packed file would give them."""
    w = (lambda name: Round.apply(p[name])) if rounded else (lambda name: p[name])
    kind = torch.bfloat16 if torch.is_grad_enabled() else torch.float32
    linear = lambda x, name: F.linear(x.to(kind), w(name + ".weight").to(kind), p[name + ".bias"].to(kind))
    norm = lambda x, name: F.layer_norm(x, (WIDTH,), p[name + ".weight"], p[name + ".bias"], 1e-12)
    words = p[WORDS][ids]
    # The packed file adds the vector of token type 0 to the positions.
    places = p["embeddings.position_embeddings.weight"][: ids.shape[1]] + p["embeddings.token_type_embeddings.weight"][0]
    if rounded:
        words, places = Round.apply(words), Round.apply(places)
    x = norm(words + places, "embeddings.LayerNorm")
    rows, n, _ = x.shape
    bias = ((1 - mask)[:, None, None, :] * -1e9).to(kind)
    heads = lambda t: t.reshape(rows, n, HEADS, WIDTH // HEADS).transpose(1, 2)
    for i in range(len(LAYERS)):
        at = f"encoder.layer.{i}."
        q, k, v = (heads(linear(x, f"{at}attention.self.{part}")) for part in ("query", "key", "value"))
        seen = F.scaled_dot_product_attention(q, k, v, attn_mask=bias).transpose(1, 2).reshape(rows, n, WIDTH)
        x = norm(x + linear(seen, at + "attention.output.dense").float(), at + "attention.output.LayerNorm")
        inner = F.gelu(linear(x, at + "intermediate.dense"))
        x = norm(x + linear(inner, at + "output.dense").float(), at + "output.LayerNorm")
    mean = (x * mask[..., None]).sum(1) / mask.sum(1, keepdim=True)
    return F.normalize(mean, dim=1)


def beginning(teacher, rows):
    """The student before training: rows of the teacher's table, and some of its layers."""
    t = load_file(teacher / "model.safetensors")
    p = {n: v for n, v in t.items() if n.startswith("embeddings.") and v.is_floating_point()}
    p[WORDS] = p[WORDS][torch.tensor(rows)]
    p["embeddings.position_embeddings.weight"] = p["embeddings.position_embeddings.weight"][:WINDOW]
    for i, layer in enumerate(LAYERS):
        begin = f"encoder.layer.{layer}."
        p.update({n.replace(begin, f"encoder.layer.{i}."): v for n, v in t.items() if n.startswith(begin)})
    return p


def misspelt(rng, text):
    """A text with an error in one word: two letters swapped, one left out, one doubled or one replaced."""
    words = text.split()
    long = [i for i, w in enumerate(words) if len(w) >= 5 and w.isalpha()]
    if not long:
        return text
    i = rng.choice(long)
    w, r = words[i], rng.random()
    j = rng.randrange(1, len(w) - 1)
    if r < 0.3:
        w = w[:j] + w[j + 1] + w[j] + w[j + 2 :]
    elif r < 0.55:
        w = w[:j] + w[j + 1 :]
    elif r < 0.7:
        w = w[:j] + w[j] + w[j:]
    else:
        w = w[:j] + rng.choice("abcdefghijklmnopqrstuvwxyz") + w[j + 1 :]
    words[i] = w
    return " ".join(words)


def batches(rng, texts, tokens):
    """Yields, forever, numbers of texts of similar length with about so many tokens together."""
    while True:
        order = list(range(len(texts)))
        rng.shuffle(order)
        for at in range(0, len(order), 6000):
            part, out, now = sorted(order[at : at + 6000], key=lambda i: len(texts[i])), [], []
            for i in part:
                if now and (len(now) + 1) * (len(texts[i]) / 4.2 + 4) > tokens:
                    out.append(now)
                    now = []
                now.append(i)
            out.append(now)
            rng.shuffle(out)
            yield from out


class Texts:
    """Texts with the teacher's vectors."""

    def __init__(self, data, name):
        self.texts = [json.loads(line)["text"] for line in open(data / f"{name}.jsonl")]
        self.vectors = torch.from_numpy(np.load(data / f"{name}.npy"))

    def part(self, start, end=None):
        out = Texts.__new__(Texts)
        out.texts, out.vectors = self.texts[start:end], self.vectors[start:end]
        return out


def encoded(tokenizer, texts):
    ids = [e.ids for e in tokenizer.encode_batch(texts)]
    longest = max(map(len, ids))
    out, mask = np.zeros((len(ids), longest), np.int64), np.zeros((len(ids), longest), np.float32)
    for i, x in enumerate(ids):
        out[i, : len(x)], mask[i, : len(x)] = x, 1
    return torch.from_numpy(out), torch.from_numpy(mask)


@torch.no_grad()
def agreement(p, tokenizer, t, rounded):
    """The mean cosine to the teacher."""
    order = sorted(range(len(t.texts)), key=lambda i: len(t.texts[i]))
    parts = [order[i : i + 32] for i in range(0, len(order), 32)]
    of = [(forward(p, *encoded(tokenizer, [t.texts[i] for i in part]), rounded) * t.vectors[part]).sum(1) for part in parts]
    return round(float(torch.cat(of).mean()), 4)


def save(p, teacher, data, out):
    (out / "1_Pooling").mkdir(parents=True, exist_ok=True)
    save_file({n: t.detach().contiguous() for n, t in p.items()}, out / "model.safetensors")
    config = json.loads((teacher / "config.json").read_text())
    config |= {"num_hidden_layers": len(LAYERS), "vocab_size": len(p[WORDS]), "max_position_embeddings": WINDOW}
    (out / "config.json").write_text(json.dumps(config))
    for name in ("modules.json", "1_Pooling/config.json", "sentence_bert_config.json"):
        (out / name).write_bytes((teacher / name).read_bytes())
    (out / "tokenizer.json").write_bytes((data / "tokenizer.json").read_bytes())


def learn(a, p, tokenizer):
    rng = random.Random(1)
    short, passages, held = (Texts(a.data, name) for name in ("short", "passages", "held"))
    dev, passages = passages.part(0, DEV_PASSAGES), passages.part(DEV_PASSAGES)
    table = p[WORDS]
    rest = [t for t in p.values() if t is not table]
    adam = torch.optim.AdamW([{"params": rest}, {"params": [table], "weight_decay": 0.0}], lr=a.rate, betas=(0.9, 0.98), weight_decay=0.01, fused=True)
    of_short, of_passages = batches(rng, short.texts, a.tokens), batches(rng, passages.texts, a.tokens)
    begun, step, losses = time.time(), 0, []
    while (passed := (time.time() - begun) / (60 * a.minutes)) < 1:
        rounded = passed >= a.round_from
        rate = a.rate * min(1, (step + 1) / 60) * (0.02 + 0.49 * (1 + math.cos(math.pi * passed)))
        adam.param_groups[0]["lr"], adam.param_groups[1]["lr"] = rate, rate / 2
        if rng.random() < a.passages:
            part = next(of_passages)
            texts, wanted = [passages.texts[i] for i in part], passages.vectors[part]
        else:
            part = next(of_short)
            texts, wanted = [misspelt(rng, short.texts[i]) if rng.random() < TYPOS else short.texts[i] for i in part], short.vectors[part]
        loss = 1 - (forward(p, *encoded(tokenizer, texts), rounded) * wanted).sum(1).mean()
        adam.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(rest, 1.0)
        adam.step()
        losses.append(loss.item())
        step += 1
        if step % 300 == 0:
            now = [agreement(p, tokenizer, t, r) for t in (held, dev) for r in (False, True)]
            print(f"{step} steps, {time.time() - begun:.0f} s, cosine {1 - np.mean(losses[-300:]):.4f}; held out, whole and rounded: short {now[:2]}, passages {now[2:]}", flush=True)
            save(p, a.teacher, a.data, a.out)
    print(step, "steps", [agreement(p, tokenizer, t, True) for t in (held, dev)])
    save(p, a.teacher, a.data, a.out)


def main():
    a = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    a.add_argument("teacher", type=pathlib.Path)
    a.add_argument("data", type=pathlib.Path)
    a.add_argument("out", type=pathlib.Path)
    a.add_argument("--minutes", type=float, default=60)
    a.add_argument("--rate", type=float, default=1e-3)
    a.add_argument("--tokens", type=int, default=4096, help="of a batch")
    a.add_argument("--passages", type=float, default=0.4, help="share of the batches that are passages")
    a.add_argument("--round-from", type=float, default=0.3, help="the share of the time after which it learns with weights of 4 bits")
    a.add_argument("--from", dest="start", type=pathlib.Path, help="an OUT of before")
    a = a.parse_args()
    torch.manual_seed(1)
    p = load_file(a.start / "model.safetensors") if a.start else beginning(a.teacher, np.load(a.data / "rows.npy"))
    p = {n: torch.nn.Parameter(t.float().clone()) for n, t in p.items()}
    tokenizer = Tokenizer.from_file(str(a.data / "tokenizer.json"))
    tokenizer.enable_truncation(WINDOW)
    tokenizer.no_padding()
    learn(a, p, tokenizer)


if __name__ == "__main__":
    main()
