"""The vector files, a module each: what their tests state, and what this implementation answers to them."""
