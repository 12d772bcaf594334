"""What needs the network, and so is no part of the tests: the real AI programs."""
