"""What the entry function's body is: nested structures, composed idioms, or a few lines."""
