"""Chunks of a DataFrame's documents with Spark, as rows.

    spark-submit --files seam spark_pandas.py documents.parquet chunks.parquet

The columns of documents are those of a line of `seam chunk --lines`: id and path, or id and text, and name.
"""
import itertools
import json
import os
import subprocess
import sys
import threading

import pandas
from pyspark import SparkFiles
from pyspark.sql import SparkSession

SCHEMA = 'id string, chunk string, start long, end long, tokens long, page long, section string, text string, reason string, error string'
COLUMNS = [column.split()[0] for column in SCHEMA.split(', ')]


def chunks_of(batches):
    """One filter for all batches of a partition. A thread feeds it, as a filter that is not read stops reading."""
    env = {**os.environ, 'GOMAXPROCS': '1', 'SEAM_CACHE': 'off'}
    seam = subprocess.Popen([SparkFiles.get('seam'), 'chunk', '--lines', '-'], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=env)
    failed = []

    def feed():
        try:
            with seam.stdin as to:
                for batch in batches:
                    for row in batch.to_dict('records'):
                        to.write(json.dumps(row).encode() + b'\n')
        except Exception as error:
            failed.append(error)

    feeder = threading.Thread(target=feed, daemon=True)
    feeder.start()
    try:
        while lines := list(itertools.islice(seam.stdout, 1000)):
            found = [f for f in map(json.loads, lines) if 'done' not in f]  # the last line of a document
            yield pandas.DataFrame({c: pandas.Series([f.get(c) for f in found], dtype=object) for c in COLUMNS})
        feeder.join()
        if code := seam.wait():
            raise RuntimeError(f'seam ended with {code}')
        if failed:
            raise failed[0]
    finally:
        seam.kill()


if __name__ == '__main__':
    documents, chunks = sys.argv[1:]
    spark = SparkSession.builder.appName('seam chunk').getOrCreate()
    spark.read.parquet(documents).mapInPandas(chunks_of, SCHEMA).write.parquet(chunks)
