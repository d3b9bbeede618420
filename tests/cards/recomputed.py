"""Computes again what a card says, from the published files, by nothing of ``cards``.

What no rule here accounts for is given back too, so that no number can stay unchecked.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import yaml
from published import Published, body_of, read_published, tables
from recounted import columns_of, tables_of
from retold import sentences_of

__all__ = ["disagreements"]

TEMPLATE = Path(__file__).parents[2] / "cards" / "template"


def disagreements(place: Path) -> set[str]:
    """Name what a folder's card says otherwise than its files do.

    Args:
        place: A folder with README.md and the files that it describes.

    Returns:
        Titles of tables and names of sentences, and numbers that nothing accounts for.
    """
    data = read_published(place)
    text = (place / "README.md").read_text(encoding="utf-8")
    body = body_of(text)
    listed = re.search(r"^## Columns$.*?(?=^## )", body, re.M | re.S)
    columns = listed[0] if listed else ""
    body = body.replace(columns, "")
    expected = tables_of(data)
    said = tables(body)
    wrong = {
        title for title in expected.keys() | said.keys() if expected.get(title) != said.get(title)
    }
    flowing = " ".join(
        line for line in re.sub(r"^\|.*$", "", body, flags=re.M).splitlines() if line
    )
    sentences = sentences_of(data, body)
    wrong |= {name for name, sentence in sentences.items() if sentence not in flowing}
    for sentence in sorted(sentences.values(), key=len, reverse=True):
        flowing = flowing.replace(sentence, " ")
    if re.findall(r"^- `(\w+)`: .* `(.*?)`$", columns, re.M) != list(columns_of(data)):
        wrong.add("columns")
    wrong |= _wrong_metadata(data, yaml.safe_load(text.split("---\n")[1]))
    return wrong | _unaccounted(flowing)


def _unaccounted(flowing: str) -> set[str]:
    """Words with digits that are neither checked nor the template's own."""
    parts = (path.read_text(encoding="utf-8") for path in sorted(TEMPLATE.glob("*.jinja")))
    own = re.sub(r"\{\{.*?\}\}|\{%.*?%\}", " ", "\n".join(parts), flags=re.S)
    known = set(own.split())
    names = re.compile(r"\W*stage[12]\W*|<details><summary><code>stage[12]<.*|apache-2\.0\.?")
    return {
        word
        for word in flowing.split()
        if re.search(r"\d", word) and word not in known and not names.fullmatch(word)
    }


def _wrong_metadata(data: Published, said: dict[str, Any]) -> set[str]:
    wrong = set()
    if {c["config_name"] for c in said["configs"]} != data.files.keys():
        wrong.add("configs")
    for config in said["configs"]:
        for of in config["data_files"]:
            found = sorted(data.place.glob(of["path"]))
            if found != data.files.get(config["config_name"], {}).get(of["split"]):
                wrong.add("data_files")
    for info in said["dataset_info"]:
        files = data.files.get(info["config_name"], {})
        paths = [path for of in files.values() for path in of]
        memory = {split: sum(pq.read_table(p).nbytes for p in of) for split, of in files.items()}
        splits = {s["name"]: (s["num_examples"], s["num_bytes"]) for s in info["splits"]}
        if splits != {s: (data.count(info["config_name"], s), memory[s]) for s in files}:
            wrong.add("splits")
        if info["dataset_size"] != sum(memory.values()):
            wrong.add("dataset_size")
        if info["download_size"] != sum(path.stat().st_size for path in paths):
            wrong.add("download_size")
    by = {"other" if row["provenance"]["shard"] < 0 else "machine-generated" for row in data.rows}
    if said["language_creators"] != sorted(by):
        wrong.add("language_creators")
    size = len(data.rows)
    names = ((1e3, "n<1K"), (1e4, "1K<n<10K"), (1e5, "10K<n<100K"), (1e6, "100K<n<1M"))
    if said["size_categories"] != [next(name for limit, name in names if size < limit)]:
        wrong.add("size_categories")
    return wrong
