"""The real sentence model: `make test-semantic` runs these; they need the extra `semantic`."""
