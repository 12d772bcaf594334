"""The least that a server on Trio's streams does: it takes some bytes and sends a fixed line."""

import sys

import trio


async def main(path: str, size: int) -> None:
    """Listen at `path`, and answer with `size` bytes."""
    answer = b"x" * (size - 1) + b"\n"

    async def serve(stream: trio.SocketStream) -> None:
        while await stream.receive_some(65_536):
            await stream.send_all(answer)

    sock = trio.socket.socket(trio.socket.AF_UNIX)
    await sock.bind(path)
    sock.listen(128)
    await trio.serve_listeners(serve, [trio.SocketListener(sock)])


if __name__ == "__main__":
    trio.run(main, sys.argv[1], int(sys.argv[2]))
