"""The least that a server in Python does: epoll, and a fixed line for whatever comes in."""

import select
import socket
import sys


def main(path: str, size: int) -> None:
    """Listen at `path`, and answer with `size` bytes."""
    answer = b"x" * (size - 1) + b"\n"
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
            clients[descriptor].send(answer)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
