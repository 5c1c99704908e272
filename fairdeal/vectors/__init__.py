"""Making and checking the test vectors; the files themselves ship beside the code."""
