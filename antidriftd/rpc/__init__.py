"""JSON-RPC over the Unix socket, between the engine and its clients."""
