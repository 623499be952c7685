"""Executes a notebook in the Deno kernel and prints it as JSON: execute.py NOTEBOOK."""
import sys

import nbformat
from jupyter_client.utils import ensure_async
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionComplete


class Client(NotebookClient):
    """The kernel may say that it is idle before it sends the result of a cell, and nbclient reads no further."""

    async def _async_poll_output_msg(self, parent_msg_id, cell, cell_index):
        await super()._async_poll_output_msg(parent_msg_id, cell, cell_index)
        # What is still to be said of the cell comes before the kernel takes up a request of our own.
        barrier = await ensure_async(self.kc.execute("undefined", silent=True, store_history=False))
        while True:
            message = await ensure_async(self.kc.iopub_channel.get_msg(timeout=None))
            parent = message["parent_header"].get("msg_id")
            if parent == parent_msg_id:
                try:
                    self.process_message(message, cell, cell_index)
                except CellExecutionComplete:
                    pass
            elif parent == barrier and message["content"].get("execution_state") == "idle":
                return


path = sys.argv[1]
notebook = nbformat.read(path, as_version=4)
folder = path.rsplit("/", 1)[0]
resources = {"metadata": {"path": folder}}
Client(notebook, timeout=300, kernel_name="deno", record_timing=False, resources=resources).execute()
sys.stdout.write(nbformat.writes(notebook))
