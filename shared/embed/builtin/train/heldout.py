"""Documents held out of the training text, to choose settings without the public evaluation data."""

import hashlib

# documents held out of each source; "sections" counts only articles with at least three real sections
SHARES = {
    "wikipedia sections": 250,
    "wikipedia": 450,
    "MicrosoftDocs/dynamics365smb-docs": 150,
    "MicrosoftDocs/PowerShell-Docs": 100,
    "GSA/digitalgov.gov": 100,
    "abachaa/MedQuAD": 200,
    "google-research-datasets/QED": 150,
    "pubmedqa/pubmedqa": 85,
    "deepmind/xquad": 15,
}
SECTION_WORDS = 60  # a section with fewer words is a stub


def kind(doc):
    """The line of SHARES that a document belongs to."""
    real = sum(bool(h) and sum(len(p.split()) for p in ps) >= SECTION_WORDS for h, ps in doc.sections)
    return "wikipedia sections" if doc.source == "wikipedia" and real >= 3 else doc.source


def rank(doc):
    """A fixed pseudo-random order: the hash of the title, so changes elsewhere in the corpus do not affect it."""
    return hashlib.sha256(f"{doc.source}\t{doc.title}".encode()).digest()


def split(documents):
    """(training documents, held-out documents)."""
    groups = {}
    for doc in documents:
        groups.setdefault(kind(doc), []).append(doc)
    out = set()
    for name, group in groups.items():
        out.update(id(d) for d in sorted(group, key=rank)[: SHARES.get(name, 0)])
    return [d for d in documents if id(d) not in out], [d for d in documents if id(d) in out]
