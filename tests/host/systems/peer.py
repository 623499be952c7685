"""A system that speaks the protocol by hand, in one thread a call, and misbehaves as it is told."""
import json, os, sys, threading, time

lock = threading.Lock()


def send(message):
    with lock:
        sys.stdout.write(json.dumps(message) + "\n")
        sys.stdout.flush()


def hello(_):
    if "--mute" in sys.argv:
        time.sleep(1000)
    if "--die" in sys.argv:
        sys.exit("the index is not there")
    time.sleep(0.3 if "--slow" in sys.argv else 0)
    settings = {"name": "contract", "version": "1", "depth": 3, "top_k": 2, "token_budget": 1000}
    return {"protocol": 1, "settings": settings, "stages": ["retrieve", "generate", "count_tokens"]}


def retrieve(params):
    text = params["input"]["text"]
    found = [{"doc_id": f"d{n}", "text": f"{text} {n}"} for n in range(5)]
    return {"value": {"query": text, "candidates": found[: params["depth"]]}}


def count_tokens(params):
    return {"value": [len(passage["text"].split()) for passage in params["passages"]]}


def generate(params):
    do = params["input"].get("do", "echo")
    if do == "throw":
        raise ValueError("boom")
    while do == "hang":
        time.sleep(0.01)
    while do == "spin":
        pass
    if do == "crash" or (do == "crash_once" and not os.path.exists("crashed")):
        open("crashed", "w").close()
        print("out of memory", file=sys.stderr, flush=True)
        os._exit(9)
    if do == "big":
        return {"value": {"answer": "x" * 5_000_000}}
    if do == "surrogate":
        return {"value": {"answer": "\ud83d"}}
    if do == "nan":
        return {"value": {"answer": float("nan")}}
    if do == "print":
        with lock:
            print("Loading…\n{\"level\": \"info\", \"id\": 1}", flush=True)
        print("progress 100%", file=sys.stderr, flush=True)
    if do == "slow":
        time.sleep(0.25)
    cites = [passage["doc_id"] for passage in params["context"]]
    result = {"value": {"answer": params["input"]["text"], "citations": cites}}
    result["value"] |= {"params": params["params"], "query": params["query"]}
    if do == "usage":
        result["usage"] = {"input_tokens": 7, "cost_usd": 0.5}
    return result


if "CONTRACT_PIDS" in os.environ:
    with open(os.environ["CONTRACT_PIDS"], "a") as pids:
        print(os.getpid(), file=pids)

STAGES = {"hello": hello, "retrieve": retrieve, "count_tokens": count_tokens, "generate": generate}


def answer(message):
    try:
        result = STAGES[message["method"]](message["params"])
        send({"jsonrpc": "2.0", "id": message["id"], "result": result})
    except Exception as error:
        data = {"kind": "exception", "trace": "Traceback: in generate", "usage": {"input_tokens": 3}}
        send({"jsonrpc": "2.0", "id": message["id"], "error": {"code": -32000, "message": str(error), "data": data}})


for line in sys.stdin:
    message = json.loads(line)
    if message["method"] != "cancel":
        if message["method"] == "hello":
            answer(message)
        else:
            threading.Thread(target=answer, args=(message,), daemon=True).start()
