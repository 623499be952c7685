"""Interrupts a cell that runs a project, then goes on in the same kernel: interrupt.py FOLDER CELL RESUME."""
import json
import sys

from jupyter_client.manager import start_new_kernel

folder, cell, resume = sys.argv[1:]
manager, client = start_new_kernel(kernel_name="deno", cwd=folder)


def execute(code, interrupt=False):
    """Executes a cell and answers with its outputs; interrupts the kernel once progress is shown."""
    request = client.execute(code)
    barrier = None
    outputs = []
    while True:
        message = client.get_iopub_msg(timeout=60)
        parent = message["parent_header"].get("msg_id")
        state = message["content"].get("execution_state")
        if parent == request and message["msg_type"] == "display_data" and interrupt:
            interrupt = False
            manager.interrupt_kernel()
        if parent == request and message["msg_type"] in ("stream", "error", "display_data", "update_display_data"):
            outputs.append({"type": message["msg_type"], **message["content"]})
        if parent == request and state == "idle":
            barrier = client.execute("undefined", silent=True, store_history=False)
        if barrier is not None and parent == barrier and state == "idle":
            return outputs


try:
    print(json.dumps([execute(cell, interrupt=True), execute(resume), manager.is_alive()]))
finally:
    manager.shutdown_kernel(now=True)
