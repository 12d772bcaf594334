"""What others try: each threat with the test that holds its defence."""
