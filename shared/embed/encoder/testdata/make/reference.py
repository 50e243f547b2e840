"""The forward pass of a BERT in NumPy and float64, as its paper and transformers' documentation describe it. It is the
reference of the tests, and shares no code with the package that it tests.

    python reference.py MODEL TEXTS.json OUT.npy     vectors of a sentence-transformers folder for a JSON list of texts

Texts longer than the window are split, see `windows`. requirements.txt has the versions.
"""

import json
import math
import pathlib
import sys

import numpy as np
from tokenizers import Tokenizer


def read_tensors(path):
    """The tensors of a safetensors file in float64; including bfloat16, which NumPy does not know."""
    b = pathlib.Path(path).read_bytes()
    n = int.from_bytes(b[:8], "little")
    head, data = json.loads(b[8 : 8 + n]), b[8 + n :]
    out = {}
    for name, info in head.items():
        if name == "__metadata__":
            continue
        raw = data[slice(*info["data_offsets"])]
        if info["dtype"] == "BF16":
            x = (np.frombuffer(raw, "<u2").astype("<u4") << 16).view("<f4")
        else:
            x = np.frombuffer(raw, {"F32": "<f4", "F16": "<f2", "I64": "<i8"}[info["dtype"]])
        out[name] = x.astype(np.float64).reshape(info["shape"])
    return out


def layer_norm(x, weight, bias, eps):
    x = x - x.mean(-1, keepdims=True)
    return x / np.sqrt((x * x).mean(-1, keepdims=True) + eps) * weight + bias


ERF = np.vectorize(math.erf, otypes=[np.float64])
try:
    from scipy.special import erf as ERF  # the same, faster
except ImportError:
    pass


class Model:
    def __init__(self, folder):
        folder = pathlib.Path(folder)
        self.config = json.loads((folder / "config.json").read_text())
        self.tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        self.tokenizer.no_padding()
        self.tokenizer.no_truncation()
        t = read_tensors(folder / "model.safetensors")
        prefix = next(k for k in t if k.endswith("embeddings.word_embeddings.weight"))[: -len("embeddings.word_embeddings.weight")]
        self.t = {k[len(prefix) :]: v for k, v in t.items() if k.startswith(prefix)}
        pooling = json.loads((folder / "1_Pooling/config.json").read_text())
        self.first = pooling["pooling_mode_cls_token"]
        self.window = json.loads((folder / "sentence_bert_config.json").read_text())["max_seq_length"]
        self.offset = 0 if self.config["model_type"] == "bert" else self.config["pad_token_id"] + 1
        # The tokens around a text, taken from an empty one.
        around = self.tokenizer.encode("").ids
        self.before, self.after = around[: len(around) // 2], around[len(around) // 2 :]

    def dense(self, x, name):
        return x @ self.t[name + ".weight"].T + self.t[name + ".bias"]

    def norm(self, x, name):
        return layer_norm(x, self.t[name + ".weight"], self.t[name + ".bias"], self.config["layer_norm_eps"])

    def tokens(self, ids):
        """The last hidden state of ids."""
        heads, n = self.config["num_attention_heads"], len(ids)
        x = self.t["embeddings.word_embeddings.weight"][ids]
        x = x + self.t["embeddings.position_embeddings.weight"][self.offset : self.offset + n]
        x = self.norm(x + self.t["embeddings.token_type_embeddings.weight"][0], "embeddings.LayerNorm")
        for i in range(self.config["num_hidden_layers"]):
            name = f"encoder.layer.{i}."
            q, k, v = (self.dense(x, f"{name}attention.self.{p}").reshape(n, heads, -1).transpose(1, 0, 2) for p in ("query", "key", "value"))
            s = q @ k.transpose(0, 2, 1) / math.sqrt(q.shape[-1])
            p = np.exp(s - s.max(-1, keepdims=True))
            p /= p.sum(-1, keepdims=True)
            a = (p @ v).transpose(1, 0, 2).reshape(n, -1)
            x = self.norm(x + self.dense(a, name + "attention.output.dense"), name + "attention.output.LayerNorm")
            h = self.dense(x, name + "intermediate.dense")
            h = h * 0.5 * (1 + ERF(h / math.sqrt(2)))
            x = self.norm(x + self.dense(h, name + "output.dense"), name + "output.LayerNorm")
        return x

    def windows(self, ids):
        """As few parts as fit into the window, of equal length to within a token."""
        body = self.window - len(self.before) - len(self.after)
        parts = -(-len(ids) // body)
        return [ids[len(ids) * i // parts : len(ids) * (i + 1) // parts] for i in range(parts)]

    def encode(self, text, prompt=""):
        start = self.tokenizer.encode(prompt, add_special_tokens=False).ids
        ids = self.tokenizer.encode(text, add_special_tokens=False).ids
        if start:
            assert len(start) + len(ids) + 2 <= self.window
        total = np.zeros(self.config["hidden_size"])
        for part in self.windows(ids) if ids else []:
            part = self.before + start + part + self.after
            x = self.tokens(part)
            total += x[0] * len(part) if self.first else x.sum(0)
        length = np.linalg.norm(total)
        return total / length if length else total


if __name__ == "__main__":
    model = Model(sys.argv[1])
    texts = json.loads(pathlib.Path(sys.argv[2]).read_text())
    np.save(sys.argv[3], np.array([model.encode(t) for t in texts], dtype=np.float32))
