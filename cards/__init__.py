"""Describes, exports and publishes what was made."""

__all__: list[str] = []
