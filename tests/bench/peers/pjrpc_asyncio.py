"""JSON-RPC by pjrpc on asyncio's streams, one message a line."""

import asyncio
import json
import sys

from pjrpc.server import AsyncDispatcher, MethodRegistry


async def main(path: str, result: str) -> None:
    """Listen at `path`, and answer `info` with `result`, which is JSON."""
    told = json.loads(result)
    methods = MethodRegistry()
    methods.add_method(lambda: told, name="info")
    dispatcher = AsyncDispatcher[None]()
    dispatcher.add_methods(methods)

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while line := await reader.readline():
            answer = await dispatcher.dispatch(line.decode(), context=None)
            assert answer is not None
            writer.write(answer[0].encode() + b"\n")
        writer.close()

    async with await asyncio.start_unix_server(serve, path) as server:
        await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], sys.argv[2]))
