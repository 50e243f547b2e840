"""The file format of model.bin: everything that the product needs, little endian, with a checksum at the end."""

import hashlib
import json
import struct
from pathlib import Path

import numpy as np

from . import quantize
from .model import Model
from .tokenizer import MAX_WORD, UNKNOWN, empty_tokenizer, pieces_in_order

MAGIC = b"SEAMVEC1"
NAME = "seam-en-1"


def write(path, tokenizer, scales, codes, levels):
    """Writes model.bin; see README.md for the layout."""
    pieces = pieces_in_order(tokenizer)
    header = {
        "name": NAME,
        "language": "en",
        "license": "CC-BY-SA-4.0",
        "vocab": len(pieces),
        "dim": codes.shape[1],
        "bits": 4,
        "levels": [float(x) for x in np.asarray(levels, np.float32)],
        "unk": tokenizer.token_to_id(UNKNOWN),
        "max_word": MAX_WORD,
        "lowercase": True,
        "strip_accents": True,
    }
    head = json.dumps(header, separators=(",", ":")).encode()
    vocabulary = "\n".join(pieces).encode()
    data = MAGIC + struct.pack("<I", len(head)) + head + struct.pack("<I", len(vocabulary)) + vocabulary
    data += bytes(-len(data) % 4)
    data += scales.astype("<f4").tobytes()
    data += (codes[:, 0::2] | codes[:, 1::2] << 4).astype(np.uint8).tobytes()
    Path(path).write_bytes(data + hashlib.sha256(data).digest())


def write_openings(path, openings):
    """Replaces the openings of a model.bin with the output of train/openings.py."""
    data, header, words, at = parts(path)
    header["openings"] = len(openings)
    head = json.dumps(header, separators=(",", ":")).encode()
    fixed = MAGIC + struct.pack("<I", len(head)) + head + struct.pack("<I", len(words)) + words
    fixed += bytes(-len(fixed) % 4)
    table = data[at : at + header["vocab"] * (4 + header["dim"] // 2)]
    data = fixed + table + openings
    Path(path).write_bytes(data + hashlib.sha256(data).digest())


def parts(path):
    """The bytes of a model.bin, its header, its vocabulary, and where its scales begin; checked."""
    data = Path(path).read_bytes()
    if data[:8] != MAGIC or hashlib.sha256(data[:-32]).digest() != data[-32:]:
        raise ValueError(f"{path} is no intact model")
    (size,) = struct.unpack_from("<I", data, 8)
    header = json.loads(data[12 : 12 + size])
    at = 12 + size
    (length,) = struct.unpack_from("<I", data, at)
    words = data[at + 4 : at + 4 + length]
    at += 4 + length
    at += -at % 4
    if at + header["vocab"] * (4 + header["dim"] // 2) + header.get("openings", 0) + 32 != len(data):
        raise ValueError(f"{path} has {len(data)} bytes, its header promises another size")
    return data, header, words, at


def read(path):
    """The model in a model.bin."""
    data, header, words, at = parts(path)
    pieces = words.decode().split("\n")
    rows, width = header["vocab"], header["dim"] // 2
    scales = np.frombuffer(data, "<f4", rows, at)
    packed = np.frombuffer(data, np.uint8, rows * width, at + 4 * rows).reshape(rows, width)
    codes = np.stack([packed & 15, packed >> 4], axis=2).reshape(rows, 2 * width)
    table = quantize.rebuild(scales, codes, np.array(header["levels"], np.float32))
    return Model(empty_tokenizer({p: i for i, p in enumerate(pieces)}), table)
