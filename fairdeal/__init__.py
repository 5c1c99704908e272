"""fairdeal."""
