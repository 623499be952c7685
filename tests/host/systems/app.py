"""A system that misbehaves as its input tells it, in the words of Python; sync and async stages mixed."""
import asyncio
import os
import sys
import time

from oloproof import Passage, Retrieval, rag_system

if "CONTRACT_PIDS" in os.environ:
    with open(os.environ["CONTRACT_PIDS"], "a") as pids:
        print(os.getpid(), file=pids)


class Stages:
    def retrieve(self, input, depth):
        found = [Passage(doc_id=f"d{n}", text=f"{input['text']} {n}") for n in range(5)]
        return Retrieval(query=input["text"], candidates=found[:depth])

    def count_tokens(self, passage):
        return len(passage.text.split())

    def misbehave(self, do):
        while do == "spin":
            pass
        if do == "throw":
            raise ValueError("boom")
        if do == "crash" or (do == "crash_once" and not os.path.exists("crashed")):
            open("crashed", "w").close()
            print("out of memory", file=sys.stderr, flush=True)
            os._exit(9)
        if do == "print":
            print("Loading…")
            os.write(1, b"from a library in C\n")
            print("progress 100%", file=sys.stderr)
        return {"big": "x" * 5_000_000, "surrogate": "\ud83d", "nan": float("nan")}.get(do)

    def answer_of(self, input, context, params, query, odd):
        if odd is not None:
            return {"answer": odd}
        return {"answer": input["text"], "citations": [one.doc_id for one in context], "params": params, "query": query}


settings = dict(name="contract", version="1", depth=3, top_k=2, token_budget=1000)


@rag_system(**settings)
class Contract(Stages):
    def generate(self, input, context, params, query, usage, cancelled):
        do = input.get("do", "echo")
        while do == "hang" and not cancelled():
            time.sleep(0.01)
        time.sleep(0.25 if do == "slow" else 0)
        if do == "usage":
            usage(input_tokens=7, cost_usd=0.5)
        return self.answer_of(input, context, params, query, self.misbehave(do))


@rag_system(**settings)
class AsyncContract(Stages):
    async def retrieve(self, input, depth):
        await asyncio.sleep(0)
        return super().retrieve(input, depth)

    async def count_tokens(self, passage):
        return super().count_tokens(passage)

    async def generate(self, input, context, *, usage, **tools):
        do = input.get("do", "echo")
        await asyncio.sleep({"hang": 1000, "slow": 0.25}.get(do, 0))
        if do == "usage":
            usage({"input_tokens": 7}, cost_usd=0.5)
        return self.answer_of(input, context, tools["params"], tools["query"], self.misbehave(do))
