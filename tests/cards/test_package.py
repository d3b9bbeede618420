"""What the package gives, and what it does not import for that."""

import subprocess
import sys

import cards


def test_the_public_names_are_there():
    assert sorted(cards.__all__) == ["card", "export", "publish", "verify"]
    assert all(callable(getattr(cards, name)) for name in cards.__all__)


def test_importing_the_package_is_quick():
    code = (
        "import sys, cards; print(*{'datasets', 'matplotlib', 'huggingface_hub'} & {*sys.modules})"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == []
