"""Loads the chunks that seam chunk wrote in each format with the package that they are for.

    python packages.py FOLDER

FOLDER has a file for each format. Every package must find the same chunks and vectors.
"""
import csv
import io
import json
import math
import sys
from pathlib import Path

folder = Path(sys.argv[1])


def lines(name):
    with open(folder / name, encoding='utf-8') as file:
        return [json.loads(line) for line in file]


chunks = lines('jsonl')
texts = [chunk['text'] for chunk in chunks]
rows = lines('lancedb')
vectors = [row['vector'] for row in rows]
ids = [row['id'] for row in rows]
assert [row['text'] for row in rows] == texts and len(set(ids)) == len(ids)


def close(a, b):
    assert len(a) == len(b) and all(math.isclose(x, y, rel_tol=1e-6, abs_tol=1e-7) for x, y in zip(a, b))


def parquet():
    import duckdb
    import polars
    import pyarrow.parquet

    table = pyarrow.parquet.read_table(folder / 'parquet')
    table.validate(full=True)
    for got, want in zip(table.to_pylist(), rows, strict=True):
        close(got.pop('vector'), want['vector'])
        assert got == {key: value for key, value in want.items() if key != 'vector'}
    found = duckdb.sql(f"select id, text, pages, labels, vector from read_parquet('{folder / 'parquet'}')").fetchall()
    frame = polars.read_parquet(folder / 'parquet')
    for got, other, want in zip(found, frame.iter_rows(named=True), rows, strict=True):
        assert list(got[:4]) == [want[key] for key in ('id', 'text', 'pages', 'labels')]
        assert [other[key] for key in ('id', 'text', 'pages', 'labels', 'start')] == [want[key] for key in ('id', 'text', 'pages', 'labels', 'start')]
        close(got[4], want['vector'])
        close(other['vector'], want['vector'])
    both = pyarrow.parquet.read_table(folder / 'none.parquet')
    assert both.num_rows == 0 and both.column_names == table.column_names


def lance():
    import lancedb

    table = lancedb.connect(folder / 'lance').create_table('chunks', data=rows)
    assert table.count_rows() == len(rows)
    for row in rows[:3]:
        assert table.search(row['vector']).metric('cosine').limit(1).to_list()[0]['text'] == row['text']


def langchain():
    from langchain_core.documents import Document

    found = [Document(page_content=line['text'], metadata=line['metadata']) for line in lines('langchain')]
    assert [d.page_content for d in found] == texts and [d.metadata['chunk'] for d in found] == [c['id'] for c in chunks]


def llamaindex():
    from llama_index.core.schema import TextNode

    found = [TextNode(**line) for line in lines('llamaindex')]
    assert [n.get_content() for n in found] == texts and [n.node_id for n in found] == ids
    for node, vector in zip(found, vectors, strict=True):
        if any(vector):
            close(node.get_embedding(), vector)
        else:
            assert node.embedding is None


def weaviate():
    from weaviate.classes.data import DataObject

    found = [DataObject(**line) for line in lines('weaviate')]
    assert [o.properties['text'] for o in found] == texts and [str(o.uuid) for o in found] == ids
    assert 'id' not in found[0].properties and 'vector' not in found[0].properties  # reserved


def pinecone():
    from pinecone import Vector

    found = [Vector(**line) for line in lines('pinecone')]
    assert [v.id for v in found] == [i for i, vector in zip(ids, vectors, strict=True) if any(vector)]
    for vector in found:
        assert vector.metadata and all(isinstance(value, (str, int, float, bool)) for value in vector.metadata.values())


def qdrant():
    from qdrant_client import QdrantClient
    from qdrant_client.models import Distance, PointStruct, VectorParams

    client = QdrantClient(':memory:')
    client.create_collection('chunks', vectors_config=VectorParams(size=len(vectors[0]), distance=Distance.COSINE))
    client.upsert('chunks', [PointStruct(**line) for line in lines('qdrant')])
    assert client.count('chunks').count == len(chunks)
    assert client.query_points('chunks', query=vectors[0], limit=1).points[0].payload['text'] == texts[0]


def chroma():
    import chromadb

    collection = chromadb.EphemeralClient().create_collection('chunks')
    for line in lines('chroma'):
        collection.upsert(**line)
    assert collection.count() == len(chunks)
    assert collection.query(query_embeddings=[vectors[0]], n_results=1)['documents'][0][0] == texts[0]


def pgvector():
    found = list(csv.DictReader(io.StringIO((folder / 'pgvector').read_text(encoding='utf-8'), newline='')))
    assert [row['id'] for row in found] == ids


for check in (parquet, lance, langchain, llamaindex, weaviate, pinecone, qdrant, chroma, pgvector):
    try:
        check()
    except Exception as error:
        raise SystemExit(f'{check.__name__}: {type(error).__name__}: {error}') from error
    print(check.__name__)
