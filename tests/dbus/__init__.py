"""The buses: where they listen, and what is said on them."""
