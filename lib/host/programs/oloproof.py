"""RAG systems in Python for oloproof: how a class says what it is, and the process that serves its stages.

    from oloproof import Passage, Retrieval, rag_system

    @rag_system(name="help-desk", version="1", depth=6, top_k=2)
    class HelpDesk:
        def retrieve(self, input, depth):
            return Retrieval(query=input["question"], candidates=[Passage(doc_id="faq", text="Refunds take 14 days.")])

        def generate(self, input, context):
            return {"answer": context[0].text, "citations": [context[0].doc_id]}

oloproof brings this module along; it needs the standard library alone, Python 3.9 or newer. Stages may be `async def`; others
are called in threads, several at once. A stage is handed what it names besides its first arguments: `params` (of the
settings), `query` (generate), `context` (answer), `usage` (a function: usage(input_tokens=…)), `cancelled` (a function: whether
nobody waits any more). `count_tokens(passage)` is needed with a token budget.
"""
import asyncio
import dataclasses
import datetime
import enum
import importlib.util
import inspect
import json
import math
import os
import sys
import threading
import traceback
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Dict, Iterable, Optional

PROTOCOL = 1

# How long stages that are still at work may take to end after the other side has gone.
PATIENCE_SECONDS = 4


@dataclasses.dataclass
class Passage:
    """One retrieved piece of text; what is None is absent."""

    doc_id: str
    text: Optional[str] = None
    chunk_id: Optional[str] = None
    score: Optional[float] = None
    metadata: Optional[Dict[str, Any]] = None


@dataclasses.dataclass
class Retrieval:
    """What retrieve returns: up to depth candidates, the best first, and the query that was really used."""

    candidates: Iterable[Any]
    query: Any = None


def rag_system(**settings):
    """Makes a class a system. Settings: name, version, depth, top_k, token_budget, index_version, params, and for a class with
    `answer` alone reports, accepts_context, ranked. Each may be left to the project file."""

    def decorate(cls):
        cls.__oloproof__ = settings
        return cls

    return decorate


# What a value is as JSON.


class NotJson(Exception):
    """A value that a message cannot hold."""


def _plain(value, path="value"):
    """A copy of a value in plain JSON, or NotJson with the place: nothing is changed in silence."""
    if isinstance(value, enum.Enum):
        return _plain(value.value, path)
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, str):
        return str(value)
    if isinstance(value, int):
        if abs(value) >= 2**53:
            raise NotJson(f"at {path}, {value} is too large to stay exact; give it as a text")
        return int(value)
    if isinstance(value, float):
        if not math.isfinite(value):
            raise NotJson(f"at {path}, {value} is not a JSON number")
        return float(value)
    if isinstance(value, (list, tuple)):
        return [_plain(item, f"{path}[{n}]") for n, item in enumerate(value)]
    if isinstance(value, dict):
        for key in value:
            if not isinstance(key, str):
                raise NotJson(f"at {path}, the key {key!r} is not a text")
        return {str(key): _plain(item, f"{path}.{key}") for key, item in value.items()}
    if isinstance(value, (Passage, Retrieval)):
        # Absent and None are the same for them.
        parts = ((key, item) for key, item in vars(value).items() if item is not None)
        listed = ((key, list(item) if key == "candidates" else item) for key, item in parts)
        return {key: _plain(item, f"{path}.{key}") for key, item in listed}
    return _plain(_shown(value, path), path)


def _shown(value, path):
    """What an object shows of itself: fields, attributes, or the number or list that it is."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {field.name: getattr(value, field.name) for field in dataclasses.fields(value)}
    if callable(getattr(value, "model_dump", None)):
        return value.model_dump(mode="json")
    if callable(getattr(value, "tolist", None)):  # numpy's numbers and arrays
        return value.tolist()
    if isinstance(value, (datetime.date, datetime.time)):
        return value.isoformat()
    shown = {key: item for key, item in getattr(value, "__dict__", {}).items() if not key.startswith("_")}
    if not shown or callable(value) or isinstance(value, (BaseException, type(sys))):
        raise NotJson(f"at {path}, {type(value).__name__} is not a JSON value")
    return shown


def _message_bytes(message):
    text = json.dumps(message, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    try:
        return text.encode("utf-8") + b"\n"
    except UnicodeEncodeError:
        # Half a surrogate pair is no UTF-8; escaped it arrives as what it is, and is refused there.
        return json.dumps(message, allow_nan=False).encode("ascii") + b"\n"


# The system that is served.


class Refusal(Exception):
    """Why a system cannot be served: a code, a message, and what to do."""

    def __init__(self, kind, message, hint):
        super().__init__(message)
        self.kind = kind
        self.hint = hint


def _load_module(path, root):
    """Imports a file as Python would: as a part of its package where there are packages, else from its own folder."""
    path, root = os.path.realpath(path), os.path.realpath(root)
    folder, name = os.path.dirname(path), os.path.splitext(os.path.basename(path))[0]
    while os.path.exists(os.path.join(folder, "__init__.py")) and folder not in (root, os.path.dirname(folder)):
        folder, name = os.path.dirname(folder), f"{os.path.basename(folder)}.{name}"
    for place in (root, folder):
        if place in sys.path:
            sys.path.remove(place)
        sys.path.insert(0, place)
    module = importlib.import_module(name) if all(part.isidentifier() for part in name.split(".")) else None
    if module is not None and os.path.realpath(getattr(module, "__file__", None) or "") == path:
        return module
    # A name that is no identifier, or that something else has already.
    spec = importlib.util.spec_from_file_location("system_under_test", path)
    module = importlib.util.module_from_spec(spec)
    sys.modules["system_under_test"] = module
    spec.loader.exec_module(module)
    return module


def _load_system(path, export, root):
    try:
        module = _load_module(path, root)
    except BaseException as error:
        hint = "run again with --debug to see where"
        if isinstance(error, ModuleNotFoundError):
            hint = (
                f"this is {sys.executable}: install the package there, or say which Python runs the module: "
                "python: {command: [uv, run, python]}"
            )
        raise Refusal("module_failed", _described(error), hint) from error
    if not hasattr(module, export):
        known = [name for name, value in vars(module).items() if hasattr(value, "__oloproof__")]
        known = known or [name for name in vars(module) if not name.startswith("_")]
        raise Refusal("export_not_found", f"the module has no {export!r}", f"it has {', '.join(known) or 'nothing'}")
    system = getattr(module, export)
    if not hasattr(system, "__oloproof__"):
        raise Refusal("invalid_system", f"{export} is no system", "decorate its class with @rag_system(name=…, version=…)")
    if not isinstance(system, type):
        return system
    try:
        return system()
    except BaseException as error:
        raise Refusal("module_failed", f"{export}() failed: {_described(error)}", "it is made without arguments") from error


STAGES = ("retrieve", "assemble", "generate", "answer", "count_tokens")


class _Call:
    """What a stage may ask for besides its arguments."""

    def __init__(self):
        self.used = []
        self.stopped = threading.Event()
        self.task = None

    def usage(self, used=None, **more):
        self.used.append({**(used or {}), **more})


def _passages(items):
    known = {field.name for field in dataclasses.fields(Passage)}
    return [Passage(**{key: value for key, value in item.items() if key in known}) for item in items]


class _Stage:
    """One stage of a system, and the names of what it is handed."""

    def __init__(self, name, function):
        self.name = name
        self.function = function
        self.is_async = inspect.iscoroutinefunction(function)
        parameters = inspect.signature(function).parameters.values()
        self.takes_all = any(one.kind is one.VAR_KEYWORD for one in parameters)
        self.names = {one.name for one in parameters if one.kind in (one.KEYWORD_ONLY, one.POSITIONAL_OR_KEYWORD)}

    def calls(self, params, call):
        """The calls that a message asks for, as pairs of positional and named arguments."""
        if self.name == "count_tokens":
            return [((passage,), {}) for passage in _passages(params["passages"])]
        if self.name == "assemble":
            first = (params["input"], _passages(params["candidates"]))
        elif self.name == "retrieve":
            first = (params["input"], params["depth"])
        elif self.name == "generate":
            first = (params["input"], _passages(params["context"]))
        else:
            first = (params["input"],)
        context = params.get("context")
        offered = {
            "params": params.get("params", {}),
            "query": params.get("query"),
            "context": None if context is None or self.name != "answer" else _passages(context),
            "top_k": params.get("top_k"),
            "token_budget": params.get("token_budget"),
            "usage": call.usage,
            "cancelled": call.stopped.is_set,
        }
        if self.name != "assemble":
            del offered["top_k"], offered["token_budget"]
        if self.name != "answer":
            del offered["context"]
        taken = {name: value for name, value in offered.items() if self.takes_all or name in self.names}
        return [(first, taken)]


def _described(error):
    """An error in one line: KeyError: 'text'."""
    said = str(error)
    return f"{type(error).__name__}: {said}" if said else type(error).__name__


def _trace(error):
    """The traceback without the frames of this file."""
    place = error.__traceback__
    while place is not None and place.tb_frame.f_code.co_filename == __file__:
        place = place.tb_next
    return "".join(traceback.format_exception(type(error), error, place)).rstrip()


class _Server:
    """Answers messages: async stages in the loop of the main thread, all others in threads."""

    def __init__(self, messages_in, messages_out):
        self.messages_in = messages_in
        self.messages_out = messages_out
        self.writing = threading.Lock()
        self.calls = {}
        self.threads = ThreadPoolExecutor(max_workers=256, thread_name_prefix="stage")
        self.stages = {}
        self.loop = None

    def send(self, message):
        line = _message_bytes(message)
        with self.writing:
            self.messages_out.write(line)
            self.messages_out.flush()

    def reply(self, id, result):
        self.send({"jsonrpc": "2.0", "id": id, "result": result})

    def fail(self, id, message, **data):
        self.send({"jsonrpc": "2.0", "id": id, "error": {"code": -32000, "message": message, "data": data}})

    def serve(self, path, export, root):
        hello = json.loads(self.messages_in.readline() or "null")
        if hello is None:
            return
        try:
            system = _load_system(path, export, root)
        except Refusal as refusal:
            cause = refusal.__cause__
            if cause is not None:
                traceback.print_exception(type(cause), cause, cause.__traceback__, file=sys.stderr)
            self.fail(hello["id"], str(refusal), kind=refusal.kind, hint=refusal.hint)
            return
        for name in STAGES:
            function = getattr(system, name, None)
            if callable(function):
                self.stages[name] = _Stage(name, function)
        settings = _plain(dict(system.__oloproof__))
        self.reply(hello["id"], {"protocol": PROTOCOL, "settings": settings, "stages": list(self.stages)})
        asyncio.run(self.wait())

    async def wait(self):
        """Runs the loop until the other side closes the stream."""
        self.loop = asyncio.get_running_loop()
        closed = asyncio.Event()
        threading.Thread(target=self.read, args=(closed,), daemon=True).start()
        await closed.wait()

    def read(self, closed):
        for line in self.messages_in:
            message = json.loads(line)
            if message["method"] == "cancel":
                self.cancel(message["params"]["id"])
            else:
                self.begin(message)
        # A stage that never ends must not keep the process alive.
        last = threading.Timer(PATIENCE_SECONDS, os._exit, (0,))
        last.daemon = True
        last.start()
        self.loop.call_soon_threadsafe(closed.set)

    def begin(self, message):
        id, stage = message["id"], self.stages.get(message["method"])
        if stage is None:
            self.fail(id, f"there is no stage {message['method']!r}")
            return
        call = self.calls[id] = _Call()
        if stage.is_async:
            self.loop.call_soon_threadsafe(self.begin_task, id, stage, message["params"], call)
        else:
            self.threads.submit(self.run, id, stage, message["params"], call)

    def begin_task(self, id, stage, params, call):
        call.task = self.loop.create_task(self.run_async(id, stage, params, call))
        if call.stopped.is_set():
            call.task.cancel()

    def cancel(self, id):
        call = self.calls.get(id)
        if call is None:
            return
        call.stopped.set()
        if call.task is not None:
            self.loop.call_soon_threadsafe(call.task.cancel)

    def run(self, id, stage, params, call):
        try:
            values = [self.finished(stage.function(*first, **named)) for first, named in stage.calls(params, call)]
        except BaseException as error:
            self.finish(id, stage.name, call, error)
        else:
            self.finish(id, stage.name, call, None, values if stage.name == "count_tokens" else values[0])

    def finished(self, value):
        """What a function returned, waited for where it is awaitable although the function is not async."""
        if not inspect.isawaitable(value):
            return value

        async def wait():
            return await value

        return asyncio.run_coroutine_threadsafe(wait(), self.loop).result()

    async def run_async(self, id, stage, params, call):
        try:
            values = [await stage.function(*first, **named) for first, named in stage.calls(params, call)]
        except BaseException as error:
            self.finish(id, stage.name, call, error)
            if isinstance(error, asyncio.CancelledError) and not call.stopped.is_set():
                raise
        else:
            self.finish(id, stage.name, call, None, values if stage.name == "count_tokens" else values[0])

    def finish(self, id, stage, call, error, value=None):
        self.calls.pop(id, None)
        usage = {"usage": call.used} if call.used else {}
        try:
            if error is not None:
                self.fail(id, _described(error), kind="exception", trace=_trace(error), **_plain(usage))
                return
            self.reply(id, {"value": _plain(value), **_plain(usage)})
        except NotJson as problem:
            self.fail(id, f"{stage} returned a value that is not JSON: {problem}", kind="invalid_output")
        except RecursionError:
            self.fail(id, f"{stage} returned a value that contains itself, or is too deep", kind="invalid_output")


def _private_streams():
    """The streams of the protocol; what else is printed on stdout goes to stderr, and nobody else reads stdin."""
    messages_in = os.fdopen(os.dup(0), "rb")
    messages_out = os.fdopen(os.dup(1), "wb")
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    sys.stdout.reconfigure(line_buffering=True)
    return messages_in, messages_out


def main(path, export, root):
    """Serves a system over stdin and stdout until stdin is closed."""
    server = _Server(*_private_streams())
    try:
        server.serve(path, export, root)
    finally:
        server.threads.shutdown(wait=False)
