"""Chunks of many documents with Ray Data, as Parquet.

    python ray_data.py documents.jsonl chunks/

seam has to be in the PATH of every node, or SEAM names it.
"""
import json
import os
import subprocess
import sys

import pyarrow
import ray

SCHEMA = pyarrow.schema({
    'id': 'string', 'chunk': 'string', 'start': 'int64', 'end': 'int64', 'tokens': 'int64', 'page': 'int64',
    'section': 'string', 'text': 'string', 'reason': 'string', 'error': 'string',
})


def chunks_of(batch):
    """A filter a batch: it takes some hundredths of a second to start. One that ends otherwise than well fails the task."""
    lines = ''.join(json.dumps(row) + '\n' for row in batch.to_pylist())
    env = {**os.environ, 'GOMAXPROCS': '1', 'SEAM_CACHE': 'off'}
    seam = subprocess.run([os.environ.get('SEAM', 'seam'), 'chunk', '--lines', '-'], input=lines.encode(), stdout=subprocess.PIPE, env=env, check=True)
    found = [f for f in map(json.loads, seam.stdout.splitlines()) if 'done' not in f]  # the last line of a document
    return pyarrow.Table.from_pylist(found, schema=SCHEMA)


if __name__ == '__main__':
    documents, chunks = sys.argv[1:]
    ray.data.read_json(documents, lines=True) \
        .map_batches(chunks_of, batch_format='pyarrow', batch_size=256) \
        .write_parquet(chunks)
