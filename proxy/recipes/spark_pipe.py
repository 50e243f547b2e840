"""Chunks of many documents with Spark, as lines of JSON.

    spark-submit --files seam spark_pipe.py documents.jsonl chunks/ 64

--files takes the program along. 64 is how many parts there are at least: what an executor that dies was
working on is done again by another one.
"""
import sys

from pyspark.sql import SparkSession

documents, chunks, parts = sys.argv[1:]
spark = SparkSession.builder.appName('seam chunk').getOrCreate()
# Without checkCode Spark takes what a program that was killed has printed for all. A task has one core.
spark.sparkContext.textFile(documents, int(parts)) \
    .pipe('./seam chunk --lines -', env={'GOMAXPROCS': '1', 'SEAM_CACHE': 'off'}, checkCode=True) \
    .saveAsTextFile(chunks)
