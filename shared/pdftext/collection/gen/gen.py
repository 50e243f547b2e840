#!/usr/bin/env python3
"""Writes ../data/*.cmaps, the CMaps and characters of Adobe's collections, and
../names.txt, which lists the CMaps of each: a line with its ordering and the names.

    apt-get install poppler-data        # version 0.4.12
    python3 gen.py [/usr/share/poppler/cMap]

Only needed to change the tables; building and testing Seam needs no Python.
The facts come from Adobe's CMap resources, see ../NOTICE.

A .cmaps file is one raw DEFLATE stream of the following. N is an unsigned
varint (seven bits per byte, the lowest first), Z a zigzag varint, S a string: N
bytes and then these.

  S ordering                          such as "Japan1"
  N tables, each                      codes to CIDs
    N base                            0, or 1 + the number of an earlier table that
                                      has the codes that are missing here
    spans
  N CMaps, each
    S name, N writing mode (1 vertical), N form (0 codes are keys as they are;
    1 UTF-8, 2 UTF-16, 3 UTF-32: keys are characters), N table
    N code space ranges, each: N bytes of a code, N lowest, N highest
  spans                               CIDs to characters
  N texts, each: N CID, S UTF-8       CIDs of several characters

spans are N of them, then three columns: N key - (highest key before + 1), N
keys - 1, Z value - (highest value before + 1); values count up with the keys.
A CID of 0 means that the code is not mapped, even if the base maps it.
"""
import os
import re
import sys
import zlib

TOKEN = re.compile(rb"<([0-9a-fA-F\s]*)>|/([^\s<>\[\]()/]+)|([^\s<>\[\]()/]+)|([\[\]()])")
FORMS = {"UTF8": 1, "UTF16": 2, "UTF32": 3}


class CMap:
    """A CMap file: its spaces, and codes (value, bytes) -> CID or text."""

    def __init__(self, path, read):
        self.name = os.path.basename(path)
        with open(path, "rb") as f:
            source = f.read()
        body = b"\n".join(line for line in source.splitlines() if not line.startswith(b"%"))
        found = re.search(rb"/Ordering \(([^)]*)\)", body)
        self.ordering = found.group(1).decode() if found else ""
        self.vertical = b"/WMode 1 def" in body
        self.spaces, self.cids, self.texts = [], {}, {}
        used = re.search(rb"/(\S+) usecmap", body)
        if used:
            base = read(used.group(1).decode())
            self.spaces, self.cids = list(base.spaces), dict(base.cids)
        for kind, part in re.findall(rb"begin(codespacerange|cidrange|cidchar|bfrange|bfchar)(.*?)end\1", body, re.S):
            self.section(kind.decode(), [m for m in TOKEN.finditer(part)])

    def section(self, kind, tokens):
        at = 0

        def code():
            nonlocal at
            b = bytes.fromhex(tokens[at].group(1).decode())
            at += 1
            return b

        while at < len(tokens):
            lo = code()
            hi = lo if kind.endswith("char") else code()
            first, last = int.from_bytes(lo, "big"), int.from_bytes(hi, "big")
            if kind == "codespacerange":
                self.spaces.append((len(lo), first, last))
            elif kind.startswith("cid"):
                cid = int(tokens[at].group(3))
                at += 1
                for k in range(last - first + 1):
                    self.cids[first + k, len(lo)] = cid + k
            elif tokens[at].group(4) == b"[":
                at += 1
                for k in range(last - first + 1):
                    self.texts[first + k] = code().decode("utf-16-be", "replace")
                at += 1
            else:
                text = code()
                for k in range(last - first + 1):
                    n = int.from_bytes(text, "big") + k
                    self.texts[first + k] = n.to_bytes(len(text), "big").decode("utf-16-be", "replace")

    def form(self):
        for part in self.name.split("-"):
            if part in FORMS:
                return FORMS[part]
        return 0

    def keys(self):
        """The mapping as the file has it: from keys, without CID 0."""
        codecs = {1: "utf-8", 2: "utf-16-be", 3: "utf-32-be"}
        form, out = self.form(), {}
        for (value, size), cid in self.cids.items():
            if form:
                value = ord(value.to_bytes(size, "big").decode(codecs[form]))
            if cid:
                out[value] = cid
        return out


def n(v):
    out = bytearray()
    while v > 127:
        out.append(v & 127 | 128)
        v >>= 7
    out.append(v)
    return bytes(out)


def z(v):
    return n(v * 2 if v >= 0 else -v * 2 - 1)


def s(text):
    b = text.encode()
    return n(len(b)) + b


def ranges(mapping):
    out = []
    for key in sorted(mapping):
        value = mapping[key]
        if out and value and out[-1][1] == key - 1 and out[-1][2] + key - out[-1][0] == value:
            out[-1][1] = key
        else:
            out.append([key, key, value])
    return out


def spans(mapping):
    columns, key, value = [b"", b"", b""], 0, 0
    all = ranges(mapping)
    for lo, hi, first in all:
        columns[0] += n(lo - key)
        columns[1] += n(hi - lo)
        columns[2] += z(first - value)
        key, value = hi + 1, first + hi - lo + 1
    return n(len(all)) + b"".join(columns)


def difference(mapping, base):
    out = {k: v for k, v in mapping.items() if base.get(k) != v}
    out.update({k: 0 for k in base if k not in mapping})
    return out


def collection(ordering, cmaps, texts):
    tables, packed = [], []
    heads = b""
    # Tables of characters first, because others differ little from them.
    for m in sorted(cmaps, key=lambda m: (m.form() == 0, m.vertical, m.name)):
        mapping = m.keys()
        if mapping not in tables:
            best = n(0) + spans(mapping)
            for i, base in enumerate(tables):
                other = n(i + 1) + spans(difference(mapping, base))
                if len(other) < len(best) * 2 // 3:
                    best = other
            tables.append(mapping)
            packed.append(best)
        heads += s(m.name) + n(int(m.vertical)) + n(m.form()) + n(tables.index(mapping)) + n(len(m.spaces))
        heads += b"".join(n(size) + n(lo) + n(hi) for size, lo, hi in m.spaces)
    one = {cid: ord(t) for cid, t in texts.items() if len(t) == 1}
    more = {cid: t for cid, t in texts.items() if len(t) > 1}
    out = s(ordering) + n(len(packed)) + b"".join(packed) + n(len(cmaps)) + heads + spans(one)
    out += n(len(more)) + b"".join(n(cid) + s(t) for cid, t in sorted(more.items()))
    return out


def characters(ucs2, cmaps):
    """The characters of the CIDs; if that table has none, the characters that the CMaps map to them."""
    out = {cid: t for cid, t in (ucs2.texts if ucs2 else {}).items() if cid and t.strip("\0\ufffd")}
    for m in sorted(cmaps, key=lambda m: (m.vertical, m.name)):
        if m.form() == 3:
            for char, cid in sorted(m.keys().items()):
                out.setdefault(cid, chr(char))
    return out


def wanted(name):
    """Excludes CMaps from CIDs to encodings other than UCS2."""
    return re.fullmatch(r"(?!Adobe-).*|Adobe-\w+-(UCS2|\d)", name)


def main():
    root = sys.argv[1] if len(sys.argv) > 1 else "/usr/share/poppler/cMap"
    files = {}
    for folder in sorted(os.listdir(root)):
        path = os.path.join(root, folder)
        if os.path.isdir(path):
            files.update({name: os.path.join(path, name) for name in sorted(os.listdir(path)) if wanted(name)})
    read = {}

    def get(name):
        if name not in read:
            read[name] = CMap(files[name], get)
        return read[name]

    for name in files:
        get(name)
    here = os.path.dirname(os.path.abspath(__file__))
    index = []
    for ordering in ("CNS1", "GB1", "Japan1", "Japan2", "KR", "Korea1"):
        cmaps = [m for m in read.values() if m.ordering == ordering and m.cids]
        texts = characters(read.get("Adobe-%s-UCS2" % ordering), cmaps)
        body = collection(ordering, cmaps, texts)
        packer = zlib.compressobj(9, zlib.DEFLATED, -15)
        packed = packer.compress(body) + packer.flush()
        with open(os.path.join(here, os.pardir, "data", ordering.lower() + ".cmaps"), "wb") as f:
            f.write(packed)
        index.append(" ".join([ordering] + sorted(m.name for m in cmaps)))
        print("%-7s %3d CMaps %6d CIDs with text %8d bytes, packed %7d" % (ordering, len(cmaps), len(texts), len(body), len(packed)))
    with open(os.path.join(here, os.pardir, "names.txt"), "w", encoding="ascii", newline="\n") as f:
        f.write("\n".join(index) + "\n")


if __name__ == "__main__":
    main()
