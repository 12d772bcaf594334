"""Real X servers, window managers and plain X clients for tests."""

import contextlib
import os
import signal
import subprocess
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from types import TracebackType
from typing import Self

import trio
from Xlib import X, display, error
from Xlib.protocol import event
from Xlib.xobject import drawable

from tests.waiting import wait_until

START_SECS = 30

# Servers that choose for themselves take the lowest free number: far below these.
_KEPT_NUMBERS = range(1_000, 50_000)


class XServer:
    """An Xvfb that runs."""

    def __init__(self, name: str, process: trio.Process) -> None:
        self.name = name
        self._process = process

    def freeze(self) -> None:
        """Stop the server: it still takes connections, and answers nothing."""
        self._process.send_signal(signal.SIGSTOP)

    def thaw(self) -> None:
        """Let it run on."""
        self._process.send_signal(signal.SIGCONT)

    async def kill(self) -> None:
        """End it without a chance to tidy up."""
        self._process.kill()
        await self._process.wait()


def kept_display() -> str:
    """Return a display name that no other test takes while nothing listens on it."""
    return f":{_KEPT_NUMBERS[os.getpid() % len(_KEPT_NUMBERS)]}"


@asynccontextmanager
async def open_xvfb(name: str = "") -> AsyncIterator[str]:
    """Yield the name of a display that takes connections; a free one unless `name` is given."""
    async with open_x_server(name) as server:
        yield server.name


@asynccontextmanager
async def open_x_server(name: str = "", *arguments: str) -> AsyncIterator[XServer]:
    """Yield a running Xvfb on the display `name`, or on a free one."""
    reader, writer = os.pipe()
    # Without -noreset the server drops everybody when its last client leaves.
    options = ["-displayfd", str(writer), "-nolisten", "tcp", "-noreset", *arguments]
    try:
        process = await trio.lowlevel.open_process(
            ["Xvfb", *([name] if name else []), *options],
            pass_fds=[writer],
            stderr=subprocess.DEVNULL,
        )
    finally:
        os.close(writer)
    try:
        async with trio.lowlevel.FdStream(reader) as stream:
            with trio.fail_after(START_SECS):
                number = await read_line(stream)
        yield XServer(f":{number}", process)
    finally:
        await _end(process)


@asynccontextmanager
async def open_client(display_name: str, *command: str) -> AsyncIterator[trio.Process]:
    """Run a program on a display, in a UTF-8 locale, and end it afterwards."""
    process = await trio.lowlevel.open_process(
        command,
        env={**os.environ, "DISPLAY": display_name, "LC_ALL": "C.UTF-8"},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        yield process
    finally:
        await _end(process)


@asynccontextmanager
async def open_openbox(display_name: str) -> AsyncIterator[trio.Process]:
    """Run the window manager openbox, ready when it manages windows."""
    async with open_client(display_name, "openbox", "--sm-disable") as process:
        with XClient(display_name) as client:
            window = client.make_window(mapped=True)

            def is_managed() -> bool:
                # While it starts, a request may lie in its queue until something else arrives.
                client.activate(window)
                return client.has_property(window, "WM_STATE")

            await wait_until(is_managed)
        yield process


async def read_line(stream: trio.abc.ReceiveStream) -> str:
    """Return a line that a program prints by itself, without its line end."""
    line = b""
    while not line.endswith(b"\n"):
        byte = await stream.receive_some(1)  # no more, so that the next line stays for later
        if not byte:
            raise RuntimeError("the program ended before it had printed a line")
        line += byte
    return line.decode().strip()


class XClient:
    """An X client that makes windows and sets their properties as no toolkit would."""

    def __init__(self, display_name: str) -> None:
        self._display = display.Display(display_name)
        self._display.set_error_handler(lambda _error, _request: None)
        self.root: int = self._display.screen().root.id

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        problem: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the connection, unless it is; the server destroys the windows."""
        with contextlib.suppress(error.ConnectionClosedError):
            self._display.close()

    def make_window(self, window_class: str = "", title: str = "", *, mapped: bool = False) -> int:
        """Return a new window; its instance is the class in lower case."""
        screen = self._display.screen()
        window = screen.root.create_window(0, 0, 100, 100, 0, screen.root_depth)
        if window_class:
            value = f"{window_class.lower()}\0{window_class}\0"
            self.set_property(window.id, "WM_CLASS", value.encode(), "STRING")
        if title:
            self.set_title(window.id, title.encode())
        if mapped:
            window.map()
        self._display.sync()
        number: int = window.id
        return number

    def set_title(self, window: int, title: bytes) -> None:
        """Set `_NET_WM_NAME`, typed as UTF-8."""
        self.set_property(window, "_NET_WM_NAME", title, "UTF8_STRING")

    def set_property(
        self, window: int, name: str, value: bytes | Sequence[int], type_name: str, bits: int = 8
    ) -> None:
        """Set any property to any value of any type."""
        self._window(window).change_property(
            self._display.intern_atom(name), self._display.intern_atom(type_name), bits, value
        )
        self._display.flush()

    def delete_property(self, window: int, name: str) -> None:
        """Delete a property."""
        self._window(window).delete_property(self._display.intern_atom(name))
        self._display.flush()

    def has_property(self, window: int, name: str) -> bool:
        """Whether a window has a property."""
        atom = self._display.intern_atom(name)
        return atom in self._window(window).list_properties()

    def set_active(self, window: int) -> None:
        """Name the active window, as a window manager does; 0 for none."""
        self.set_property(self.root, "_NET_ACTIVE_WINDOW", [window], "WINDOW", 32)

    def claim_management(self, window: int, *supported: str) -> None:
        """Say that a window manager is there, and what it sets; `window` is its own."""
        atoms = [self._display.intern_atom(name) for name in supported]
        self.set_property(self.root, "_NET_SUPPORTED", atoms, "ATOM", 32)
        for each in (window, self.root):
            self.set_property(each, "_NET_SUPPORTING_WM_CHECK", [window], "WINDOW", 32)

    def activate(self, window: int) -> None:
        """Ask the window manager to bring a window to the front, as a pager does."""
        message = event.ClientMessage(
            window=self._window(window),
            client_type=self._display.intern_atom("_NET_ACTIVE_WINDOW"),
            data=(32, [2, X.CurrentTime, 0, 0, 0]),
        )
        mask = X.SubstructureRedirectMask | X.SubstructureNotifyMask
        self._display.screen().root.send_event(message, event_mask=mask)
        self._display.flush()

    def destroy(self, window: int) -> None:
        """Destroy a window."""
        self._window(window).destroy()
        self._display.sync()

    def grab_server(self) -> None:
        """Have the server answer nobody else until the connection is closed."""
        self._display.grab_server()
        self._display.sync()

    def sync(self) -> None:
        """Wait until the server has done all that was asked for."""
        self._display.sync()

    def _window(self, window: int) -> drawable.Window:
        return self._display.create_resource_object("window", window)


async def _end(process: trio.Process) -> None:
    with trio.CancelScope(shield=True):
        for number in (signal.SIGTERM, signal.SIGKILL):
            if process.returncode is None:
                process.send_signal(signal.SIGCONT)
                process.send_signal(number)
                with trio.move_on_after(5):
                    await process.wait()
        await process.wait()
