"""Croissant metadata: the dataset as machines find and load it.

Each data file is an object with its size and SHA-256. Each split of a config is a record
set over its files in the repository, as it stands at the version's tag; for a copy of it
(``snapshot_download``) give mlcroissant ``mapping={"repo": folder}``. Structs inside structs
have no form there and are left out; the Parquet files have them. The day of publication is
not told: the description follows from the files, which do not know it.

Source: the Croissant format, version 1.0 (MLCommons).
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from cards.files import shards_of
from cards.layout import CONFIGS, pattern
from cards.markdown import plural
from cards.statistics import Statistics

__all__ = ["croissant", "croissant_of"]

_REPOSITORY = "repo"
"""The name of the repository among the files."""
_CONTEXT: dict[str, Any] = {
    "@language": "en",
    "@vocab": "https://schema.org/",
    "citeAs": "cr:citeAs",
    "column": "cr:column",
    "conformsTo": "dct:conformsTo",
    "cr": "http://mlcommons.org/croissant/",
    "data": {"@id": "cr:data", "@type": "@json"},
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    "dct": "http://purl.org/dc/terms/",
    "equivalentProperty": "cr:equivalentProperty",
    "examples": {"@id": "cr:examples", "@type": "@json"},
    "extract": "cr:extract",
    "field": "cr:field",
    "fileObject": "cr:fileObject",
    "fileProperty": "cr:fileProperty",
    "fileSet": "cr:fileSet",
    "format": "cr:format",
    "includes": "cr:includes",
    "isLiveDataset": "cr:isLiveDataset",
    "jsonPath": "cr:jsonPath",
    "key": "cr:key",
    "md5": "cr:md5",
    "parentField": "cr:parentField",
    "path": "cr:path",
    "rai": "http://mlcommons.org/croissant/RAI/",
    "recordSet": "cr:recordSet",
    "references": "cr:references",
    "regex": "cr:regex",
    "repeated": "cr:repeated",
    "replace": "cr:replace",
    "samplingRate": "cr:samplingRate",
    "sc": "https://schema.org/",
    "separator": "cr:separator",
    "source": "cr:source",
    "subField": "cr:subField",
    "transform": "cr:transform",
}


def croissant_of(
    place: Path,
    stats: Statistics,
    files: Mapping[str, Mapping[str, Any]],
    *,
    repo_id: str,
    version: str,
    license: str,
) -> str:
    """Write the description of a folder.

    Args:
        place: The folder with the data files.
        stats: Its numbers.
        files: Its data files, as the manifest describes them.
        repo_id: The repository.
        version: The version.
        license: The licence.

    Returns:
        The text of ``croissant.json``, the same for the same files.
    """
    schemas = {
        config.name: pq.read_schema(shards_of(place, config.name, config.splits[0].name)[0])
        for config in stats.configs
    }
    described = croissant(
        stats, files, repo_id=repo_id, version=version, license=license, schemas=schemas
    )
    return json.dumps(described, sort_keys=True, ensure_ascii=False, separators=(",", ":")) + "\n"


def croissant(
    stats: Statistics,
    files: Mapping[str, Mapping[str, Any]],
    *,
    repo_id: str,
    version: str,
    license: str,
    schemas: Mapping[str, pa.Schema],
) -> dict[str, Any]:
    """Describe a dataset as Croissant.

    Args:
        stats: Its numbers.
        files: Its data files, as the manifest describes them.
        repo_id: The repository.
        version: The version.
        license: The licence.
        schemas: The columns of each config.

    Returns:
        JSON-LD as plain values.
    """
    url = f"https://huggingface.co/datasets/{repo_id}"
    return {
        "@context": _CONTEXT,
        "@type": "sc:Dataset",
        "name": repo_id.replace("/", "-"),
        "description": f"{plural(stats.problems, 'problem')} over "
        f"{plural(stats.programs, 'small Python program')}: one call of a program each, with its "
        "run, questions about the run with their answers, and how hard it is.",
        "conformsTo": "http://mlcommons.org/croissant/1.0",
        "url": url,
        "license": license,
        "version": version,
        "creator": _creator(repo_id),
        "citeAs": "@article{execverify, title={ExecVerify}, eprint={2603.11226}}",
        "keywords": ["code", "execution", "reasoning", "synthetic"],
        "isLiveDataset": False,
        "distribution": [
            _repository(url, version),
            *(_file(name, facts, url, version) for name, facts in sorted(files.items())),
            *(_file_set(config, split) for config, split in _splits(stats)),
        ],
        "recordSet": [
            _record_set(config, split, schemas[config]) for config, split in _splits(stats)
        ],
    }


def _splits(stats: Statistics) -> Iterator[tuple[str, str]]:
    for config in stats.configs:
        for split in config.splits:
            yield config.name, split.name


def _creator(repo_id: str) -> dict[str, Any]:
    """Name whose repository it is; whether that is a person, the name does not say."""
    owner = repo_id.partition("/")[0]
    return {"@type": "sc:Organization", "name": owner, "url": f"https://huggingface.co/{owner}"}


def _repository(url: str, version: str) -> dict[str, Any]:
    return {
        "@type": "cr:FileObject",
        "@id": _REPOSITORY,
        "name": _REPOSITORY,
        "description": "The repository on the Hugging Face Hub, at the tag of the version.",
        "contentUrl": f"{url}/tree/refs%2Ftags%2Fv{version}",
        "encodingFormat": "git+https",
        # A repository has none, and the format wants one: this is what the Hub itself writes.
        "sha256": "https://github.com/mlcommons/croissant/issues/80",
    }


def _file(name: str, facts: Mapping[str, Any], url: str, version: str) -> dict[str, Any]:
    return {
        "@type": "cr:FileObject",
        "@id": name,
        "name": name,
        "contentUrl": f"{url}/resolve/v{version}/{name}",
        "contentSize": f"{facts['bytes']} B",
        "encodingFormat": "application/x-parquet",
        "sha256": facts["sha256"],
    }


def _file_set(config: str, split: str) -> dict[str, Any]:
    return {
        "@type": "cr:FileSet",
        "@id": f"files-{config}-{split}",
        "name": f"files-{config}-{split}",
        "description": f"The files of the {split} split of {config}.",
        "encodingFormat": "application/x-parquet",
        "containedIn": {"@id": _REPOSITORY},
        "includes": f"{pattern(config, split)}.parquet",
    }


def _record_set(config: str, split: str, schema: pa.Schema) -> dict[str, Any]:
    identity = f"{config}/{split}"
    return {
        "@type": "cr:RecordSet",
        "@id": identity,
        "name": identity,
        "description": CONFIGS[config].about,
        "field": [_field(field, identity, f"files-{config}-{split}") for field in schema],
    }


def _field(field: pa.Field, inside: str, files: str) -> dict[str, Any]:
    identity = f"{inside}/{field.name}"
    described: dict[str, Any] = {"@type": "cr:Field", "@id": identity, "name": field.name}
    described["dataType"] = _data_type(_item(field.type))
    if pa.types.is_list(field.type):
        described["repeated"] = True
    if not pa.types.is_struct(_item(field.type)):
        return {**described, "source": _source(files, field.name)}
    inner = [part for part in _item(field.type) if not _is_deep(part.type)]
    described["subField"] = [
        {
            "@type": "cr:Field",
            "@id": f"{identity}/{part.name}",
            "name": part.name,
            "dataType": _data_type(_item(part.type)),
            **({"repeated": True} if pa.types.is_list(part.type) else {}),
            "source": {
                **_source(files, field.name),
                "transform": {"jsonPath": part.name},
            },
        }
        for part in inner
    ]
    return described


def _source(files: str, column: str) -> dict[str, Any]:
    return {"fileSet": {"@id": files}, "extract": {"column": column}}


def _item(kind: pa.DataType) -> pa.DataType:
    return kind.value_type if pa.types.is_list(kind) else kind


def _is_deep(kind: pa.DataType) -> bool:
    return bool(pa.types.is_struct(_item(kind)))


def _data_type(kind: pa.DataType) -> str:
    if pa.types.is_boolean(kind):
        return "sc:Boolean"
    if pa.types.is_integer(kind):
        return "sc:Integer"
    if pa.types.is_floating(kind):
        return "sc:Float"
    return "sc:Text"
