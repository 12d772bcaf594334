"""What aw-watcher-window of ActivityWatch does, with the client library that it uses.

It isn't to be had as a package. Each second it looks, and hands what it sees to the client's queue
of heartbeats (main.py, `heartbeat_loop`), which merges those that are alike and sends the others.
"""

import sys
from datetime import UTC, datetime

from aw_client import ActivityWatchClient
from aw_core.models import Event

from tests.bench.peers.poller import POLL_SECS, looks


def main(port: int) -> None:
    """Watch the display, and tell the server at `port`."""
    client = ActivityWatchClient("aw-watcher-window", host="127.0.0.1", port=port)
    bucket = f"aw-watcher-window_{client.client_hostname}"
    client.create_bucket(bucket, "currentwindow", queued=True)
    client.wait_for_start()
    with client:
        print("ready", flush=True)
        for seen in looks():
            event = Event(timestamp=datetime.now(UTC), data=dict(seen))
            client.heartbeat(bucket, event, pulsetime=POLL_SECS + 1.0, queued=True)


if __name__ == "__main__":
    main(int(sys.argv[1]))
