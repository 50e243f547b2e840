#!/usr/bin/env python3
"""Compare the words of seam with the words of Poppler and MuPDF on a folder of PDFs.

    peers.py [--seam PROGRAM] [--rows FILE] [--seconds N] [--each N] FOLDER

Needs pdftotext and the Python package pymupdf. Reads one file after another, in the order of
their SHA-256. For each file it takes the bag of words of `seam text`, which includes text that
is set apart, of pdftotext and of MuPDF, and the F1 against the nearer of the two. Files without
words in both do not count. It prints the mean, files that were refused with their sentence,
panics, files that took longer than the limit, and the worst files. --each takes at most N files
of each subfolder. --rows writes one line of JSON per file, and skips files that it has already.
"""
import argparse
import collections
import hashlib
import json
import os
import re
import subprocess
import sys
import unicodedata

WORD = re.compile(r"\w+")
PANIC = re.compile(rb"^goroutine \d+ \[|^panic: |^fatal error: ", re.M)
MUPDF = """
import sys, pymupdf
pymupdf.TOOLS.mupdf_display_errors(False)
for page in pymupdf.open(sys.argv[1]):
    sys.stdout.buffer.write(page.get_text("text").encode("utf-8", "replace") + b"\\n")
"""


def bag(text):
    return collections.Counter(WORD.findall(unicodedata.normalize("NFKC", text).casefold()))


def f1(a, b):
    total = sum(a.values()) + sum(b.values())
    return 2 * sum((a & b).values()) / total if total else 1.0


def run(argv, seconds):
    """Returns the status, or None after the limit, with stdout and stderr."""
    try:
        p = subprocess.run(argv, stdin=subprocess.DEVNULL, capture_output=True, timeout=seconds)
    except subprocess.TimeoutExpired:
        return None, b"", b""
    return p.returncode, p.stdout, p.stderr


def row(path, seam, seconds):
    status, out, err = run([seam, "text", path], seconds)
    ours = bag(out.decode("utf-8", "replace"))
    r = {"file": path, "status": status, "words": sum(ours.values())}
    if status is None or status != 0 or PANIC.search(err):
        r["said"] = err.decode("utf-8", "replace").strip()[-400:]
        r["panic"] = bool(PANIC.search(err))
    peers = {}
    for name, argv in (("poppler", ["pdftotext", "-q", path, "-"]), ("mupdf", [sys.executable, "-c", MUPDF, path])):
        code, text, _ = run(argv, 60)
        if code == 0:
            peers[name] = bag(text.decode("utf-8", "replace"))
    for name, theirs in peers.items():
        r[name] = round(f1(ours, theirs), 5)
        r[name + "_words"] = sum(theirs.values())
    if len(peers) == 2:
        r["peers"] = round(f1(*peers.values()), 5)
    return r


def files(folder, each):
    for where, _, names in os.walk(folder):
        found = []
        for name in names:
            path = os.path.join(where, name)
            with open(path, "rb") as f:
                b = f.read()
            if b[:4] == b"%PDF":
                found.append((hashlib.sha256(b).hexdigest(), path))
        yield from sorted(found)[: each or None]


def main():
    a = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    a.add_argument("folder")
    a.add_argument("--seam", default="seam")
    a.add_argument("--rows")
    a.add_argument("--seconds", type=float, default=60)
    a.add_argument("--each", type=int, default=0)
    o = a.parse_args()
    os.environ["SEAM_CACHE"] = "off"
    rows = {}
    if o.rows and os.path.exists(o.rows):
        with open(o.rows) as f:
            rows = {r["file"]: r for r in map(json.loads, f)}
    seen = set()
    for digest, path in sorted(files(o.folder, o.each)):
        if digest in seen:
            continue
        seen.add(digest)
        if path not in rows:
            rows[path] = row(path, o.seam, o.seconds)
            if o.rows:
                with open(o.rows, "a") as f:
                    f.write(json.dumps(rows[path]) + "\n")
    report(list(rows.values()))


def mean(rows, key):
    return sum(r[key] for r in rows if key in r) / max(1, sum(key in r for r in rows))


def report(rows):
    scored = [r for r in rows if max(r.get("poppler_words", 0), r.get("mupdf_words", 0)) > 0]
    for r in scored:
        r["best"] = max(r.get("poppler", 0), r.get("mupdf", 0))
    read = [r for r in scored if r["status"] == 0]
    for name, some in (("all", scored), ("read", read)):
        print(f"{name}: {len(some)} files, F1 nearer {mean(some, 'best'):.4f}, poppler {mean(some, 'poppler'):.4f}, mupdf {mean(some, 'mupdf'):.4f}, one peer against the other {mean(some, 'peers'):.4f}")
    print(f"files {len(rows)}, panics {sum(r.get('panic', False) for r in rows)}, over the limit of time {sum(r['status'] is None for r in rows)}")
    refused = collections.Counter(re.sub(r"^.*?\.pdf: ", "", r["said"]) for r in rows if r["status"])
    for said, n in refused.most_common():
        print(f"refused {n}: {said}")
    for r in sorted(read, key=lambda r: (r["best"], r["file"]))[:20]:
        print(f"{r['best']:.4f} seam {r['words']} poppler {r.get('poppler_words')} mupdf {r.get('mupdf_words')} {r['file']}")


if __name__ == "__main__":
    main()
