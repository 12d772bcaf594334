"""JSON-RPC by python-lsp-jsonrpc, as language servers speak it: headers, and a thread a client."""

import json
import socket
import sys
import threading
from typing import Any

from pylsp_jsonrpc.endpoint import Endpoint
from pylsp_jsonrpc.streams import JsonRpcStreamReader, JsonRpcStreamWriter


def main(path: str, result: str) -> None:
    """Listen at `path`, and answer `info` with `result`, which is JSON."""
    told = json.loads(result)
    methods = {"info": lambda _: told}
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(path)
        listener.listen(128)
        while True:
            client, _ = listener.accept()
            threading.Thread(target=_serve, args=(client, methods), daemon=True).start()


def _serve(client: socket.socket, methods: dict[str, Any]) -> None:
    with client, client.makefile("rwb") as stream:
        endpoint = Endpoint(methods, JsonRpcStreamWriter(stream).write, max_workers=1)
        JsonRpcStreamReader(stream).listen(endpoint.consume)
        endpoint.shutdown()


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
