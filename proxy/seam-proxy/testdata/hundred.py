# 100 chats and 100 lists of texts at a time, with the official SDK and its defaults.
import asyncio
import sys

import openai


async def main(base, token):
    client = openai.AsyncOpenAI(base_url=base, api_key=token)
    chats = [client.chat.completions.create(model="c", messages=[{"role": "user", "content": f"question {i}"}]) for i in range(100)]
    texts = [client.embeddings.create(model="e", input=[f"text {i}"]) for i in range(100)]
    good = 0
    for reply in await asyncio.gather(*chats, *texts, return_exceptions=True):
        if isinstance(reply, Exception):
            print(repr(reply), file=sys.stderr)
        else:
            good += 1
    print(good)


asyncio.run(main(*sys.argv[1:]))
