"""The least that a server in Python does: epoll, and a fixed line for whatever comes in.

With `all`, a line goes to everybody who is connected: the least that a fan-out does.
"""

import select
import socket
import sys


def main(path: str, size: int, *, to_all: bool) -> None:
    """Listen at `path`, and answer with `size` bytes that begin with what was asked."""
    poll = select.epoll()
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(path)
    listener.listen(128)
    poll.register(listener, select.EPOLLIN)
    clients: dict[int, socket.socket] = {}
    while True:
        for descriptor, _ in poll.poll():
            if descriptor == listener.fileno():
                client, _ = listener.accept()
                clients[client.fileno()] = client
                poll.register(client, select.EPOLLIN)
                continue
            data = clients[descriptor].recv(65_536)
            if not data:
                poll.unregister(descriptor)
                clients.pop(descriptor).close()
                continue
            answer = data.strip()[:size].ljust(size - 1) + b"\n"
            for client in clients.values() if to_all else [clients[descriptor]]:
                client.send(answer)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), to_all="all" in sys.argv[3:])
