"""The licences that the Hub knows; it takes a card with no other.

Source: the Hub's documentation (Licenses) and its answer to a card with another one, 2026.
"""

from __future__ import annotations

import difflib
from typing import Any

from tracing.errors import UsageError, shorten

__all__ = ["LICENSES", "checked_license"]

LICENSES = frozenset(
    (
        "afl-3.0 agpl-3.0 apache-2.0 apple-amlr apple-ascl artistic-2.0 bigcode-openrail-m "
        "bigscience-bloom-rail-1.0 bigscience-openrail-m bsd bsd-2-clause bsd-3-clause "
        "bsd-3-clause-clear bsl-1.0 c-uda cc cc-by-2.0 cc-by-2.5 cc-by-3.0 cc-by-4.0 cc-by-nc-2.0 "
        "cc-by-nc-3.0 cc-by-nc-4.0 cc-by-nc-nd-3.0 cc-by-nc-nd-4.0 cc-by-nc-sa-2.0 "
        "cc-by-nc-sa-3.0 cc-by-nc-sa-4.0 cc-by-nd-4.0 cc-by-sa-3.0 cc-by-sa-4.0 cc0-1.0 "
        "cdla-permissive-1.0 cdla-permissive-2.0 cdla-sharing-1.0 creativeml-openrail-m "
        "deepfloyd-if-license ecl-2.0 epl-1.0 epl-2.0 etalab-2.0 eupl-1.1 eupl-1.2 "
        "fair-noncommercial-research-license gemma gfdl gpl gpl-2.0 gpl-3.0 grok2-community "
        "h-research intel-research isc lgpl lgpl-2.1 lgpl-3.0 lgpl-lr llama2 llama3 llama3.1 "
        "llama3.2 llama3.3 llama4 lppl-1.3c mit mpl-2.0 ms-pl ncsa odbl odc-by ofl-1.1 openmdw-1.0 "
        "openrail openrail++ osl-3.0 other pddl postgresql unknown unlicense wtfpl zlib"
    ).split()
)
"""Their identifiers."""
_USUAL = ("apache-2.0", "cc-by-4.0")


def checked_license(name: Any) -> str:
    """Check the name of a licence.

    Args:
        name: An identifier as the Hub has it, like ``"apache-2.0"``.

    Returns:
        The same.

    Raises:
        UsageError: The Hub knows no such licence.
    """
    if isinstance(name, str) and name in LICENSES:
        return name
    near = difflib.get_close_matches(str(name).lower(), LICENSES, n=2) or [
        "apache-2.0",
        "cc-by-4.0",
    ]
    raise UsageError(
        f"the Hub knows no licence {shorten(repr(name))}; write one of its identifiers, like "
        f"{' or '.join(near or _USUAL)}, or other"
    )
