"""What a Hub checks of a dataset card's metadata, as far as that is public.

The public Hub's own code is not. These rules are of what is written down: the dataset card
specification (huggingface/hub-docs, datasetcard.md) with its lists of licences and of tasks
(huggingface.js, pipelines.ts), the attributes of huggingface_hub's ``DatasetCardData``, the
messages that its users have quoted (huggingface_hub#4218 has the licences of 2026;
datasets#5137 and #6919 languages, arrays, YAML), and ``datasets`` for the types of columns.
Where the Hub is known only to warn (a task that is not on its list), this refuses.
"""

from __future__ import annotations

import re

import yaml
from datasets import Features

__all__ = ["LICENSES", "errors_of"]

LICENSES = frozenset(
    """
    apache-2.0 mit openrail bigscience-openrail-m creativeml-openrail-m
    bigscience-bloom-rail-1.0 bigcode-openrail-m afl-3.0 artistic-2.0 bsl-1.0 bsd bsd-2-clause
    bsd-3-clause bsd-3-clause-clear c-uda cc cc0-1.0 cc-by-2.0 cc-by-2.5 cc-by-3.0 cc-by-4.0
    cc-by-sa-3.0 cc-by-sa-4.0 cc-by-nc-2.0 cc-by-nc-3.0 cc-by-nc-4.0 cc-by-nd-4.0
    cc-by-nc-nd-3.0 cc-by-nc-nd-4.0 cc-by-nc-sa-2.0 cc-by-nc-sa-3.0 cc-by-nc-sa-4.0
    cdla-sharing-1.0 cdla-permissive-1.0 cdla-permissive-2.0 wtfpl ecl-2.0 epl-1.0 epl-2.0
    etalab-2.0 eupl-1.1 eupl-1.2 agpl-3.0 gfdl gpl gpl-2.0 gpl-3.0 lgpl lgpl-2.1 lgpl-3.0 isc
    h-research intel-research lppl-1.3c ms-pl apple-ascl apple-amlr mpl-2.0 odc-by odbl
    openmdw-1.0 openrail++ osl-3.0 postgresql ofl-1.1 ncsa unlicense zlib pddl lgpl-lr
    deepfloyd-if-license fair-noncommercial-research-license llama2 llama3 llama3.1 llama3.2
    llama3.3 llama4 grok2-community gemma unknown other
    """.split()
)
_TASKS = frozenset(
    """
    biology text-classification token-classification table-question-answering
    question-answering zero-shot-classification translation summarization feature-extraction
    text-generation text2text-generation fill-mask sentence-similarity text-to-speech
    text-to-audio automatic-speech-recognition audio-to-audio audio-classification
    audio-text-to-text voice-activity-detection depth-estimation image-classification
    object-detection image-segmentation text-to-image image-to-text image-to-image
    image-to-video unconditional-image-generation video-classification reinforcement-learning
    robotics tabular-classification tabular-regression tabular-to-text table-to-text
    multiple-choice text-ranking text-retrieval time-series-forecasting text-to-video
    image-text-to-text visual-question-answering document-question-answering
    zero-shot-image-classification graph-ml mask-generation zero-shot-object-detection
    text-to-3d image-to-3d image-feature-extraction video-text-to-text keypoint-detection
    visual-document-retrieval any-to-any other
    """.split()
)
_SIZES = frozenset(
    "n<1K 1K<n<10K 10K<n<100K 100K<n<1M 1M<n<10M 10M<n<100M 100M<n<1B 1B<n<10B 10B<n<100B "
    "100B<n<1T n>1T other".split()
)
_CREATORS = {"found", "crowdsourced", "expert-generated", "machine-generated", "other"}
_CHOICES = {
    "license": LICENSES,
    "task_categories": _TASKS,
    "size_categories": _SIZES,
    "annotations_creators": _CREATORS | {"no-annotation"},
    "language_creators": _CREATORS,
    "multilinguality": {"monolingual", "multilingual", "translation", "other"},
}
_TWO_LETTERS = frozenset(
    """
    aa ab ae af ak am an ar as av ay az ba be bg bh bi bm bn bo br bs ca ce ch co cr cs cu cv cy
    da de dv dz ee el en eo es et eu fa ff fi fj fo fr fy ga gd gl gn gu gv ha he hi ho hr ht hu
    hy hz ia id ie ig ii ik io is it iu ja jv ka kg ki kj kk kl km kn ko kr ks ku kv kw ky la lb
    lg li ln lo lt lu lv mg mh mi mk ml mn mr ms mt my na nb nd ne ng nl nn no nr nv ny oc oj om
    or os pa pi pl ps pt qu rm rn ro ru rw sa sc sd se sg si sk sl sm sn so sq sr ss st su sv sw
    ta te tg th ti tk tl tn to tr ts tt tw ty ug uk ur uz ve vi vo wa wo xh yi yo za zh zu
    """.split()
)
_FENCED = re.compile(r"\A\s*---[\r\n]+([\s\S]*?)[\r\n]+---(\r\n|\n|\Z)")
_CONFIG = re.compile(r"[^<>:/\\|?*]+")
_SPLIT = re.compile(r"\w+(\.\w+)*", re.ASCII)


def errors_of(content: str) -> list[str]:
    """Say what is wrong with the metadata of a card, in sentences like the Hub's."""
    fenced = _FENCED.match(content)
    if fenced is None:
        return []  # the Hub warns: empty or missing yaml metadata in repo card
    try:
        data = yaml.safe_load(fenced[1])
    except yaml.YAMLError as error:
        return [f"Invalid YAML in README.md: {' '.join(str(error).split())}"]
    if not isinstance(data, dict):
        return ["the metadata must be an object"]
    wrong = [f'"{old}" is deprecated' for old in ("languages", "licenses") if old in data]
    for name, choices in _CHOICES.items():
        wrong += _not_among(name, data.get(name), choices, may_be_text=name == "license")
    wrong += _languages(data.get("language"))
    wrong += _texts(data)
    return wrong + _configs(data.get("configs")) + _infos(data.get("dataset_info"), data)


def _not_among(name, value, choices, *, may_be_text):
    if value is None:
        return []
    if isinstance(value, str) and may_be_text:
        value = [value]
    if not isinstance(value, list):
        return [f'"{name}" must be an array']
    if any(item not in choices for item in value if isinstance(item, str)):
        return [f'"{name}" must be one of [{", ".join(sorted(choices))}]']
    return [] if all(isinstance(item, str) for item in value) else [f'"{name}" must be strings']


def _languages(value):
    wrong = []
    for place, code in enumerate([value] if isinstance(value, str) else value or []):
        if not isinstance(code, str):
            wrong.append(f'"language[{place}]" must be a string')
        elif code != code.lower():
            wrong.append(f'"language[{place}]" must only contain lowercase characters')
        elif code not in _TWO_LETTERS and not re.fullmatch("[a-z]{3}|code|multilingual", code):
            wrong.append(f'"language[{place}]" must be an ISO 639-1, 639-2 or 639-3 code')
    return wrong


def _texts(data):
    wrong = [
        f'"{name}" must be a string'
        for name in ("pretty_name", "license_name", "library_name", "paperswithcode_id")
        if not isinstance(data.get(name, ""), str)
    ]
    for name in ("tags", "task_ids", "source_datasets"):
        value = data.get(name, [])
        if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
            wrong.append(f'"{name}" must be an array of strings')
    return wrong


def _configs(configs):
    if configs is None:
        return []
    if not isinstance(configs, list) or not all(isinstance(c, dict) for c in configs):
        return ['"configs" must be an array of objects']
    wrong = []
    for place, config in enumerate(configs):
        name = config.get("config_name")
        if not isinstance(name, str) or not _CONFIG.fullmatch(name):
            wrong.append(f'"configs[{place}].config_name" is not allowed')
        if not isinstance(config.get("default", False), bool):
            wrong.append(f'"configs[{place}].default" must be a boolean')
        wrong += _data_files(f"configs[{place}].data_files", config.get("data_files"))
    names = [config.get("config_name") for config in configs]
    if len(set(map(str, names))) != len(names):
        wrong.append('"configs" contains a duplicate config_name')
    if sum(config.get("default") is True for config in configs) > 1:
        wrong.append('"configs" has more than one default')
    return wrong


def _data_files(where, value):
    if value is None or isinstance(value, str):
        return []
    if not isinstance(value, list):
        return [f'"{where}" must be a string or an array']
    wrong = []
    for place, item in enumerate(value):
        if isinstance(item, str):
            continue
        split, path = (item.get("split"), item.get("path")) if isinstance(item, dict) else (0, 0)
        paths = path if isinstance(path, list) else [path]
        if not isinstance(split, str) or not _SPLIT.fullmatch(split):
            wrong.append(f'"{where}[{place}].split" is no name of a split')
        if not all(isinstance(one, str) and one for one in paths):
            wrong.append(f'"{where}[{place}].path" must be a string or an array of strings')
    return wrong


def _infos(infos, data):
    if infos is None:
        return []
    infos = [infos] if isinstance(infos, dict) else infos
    if not isinstance(infos, list) or not all(isinstance(info, dict) for info in infos):
        return ['"dataset_info" must be an object or an array of objects']
    known = [c.get("config_name") for c in data.get("configs") or [] if isinstance(c, dict)]
    wrong = []
    for place, info in enumerate(infos):
        where = f"dataset_info[{place}]"
        if known and info.get("config_name", known[0]) not in known:
            wrong.append(f'"{where}.config_name" is not among "configs"')
        for name in ("download_size", "dataset_size"):
            if not _is_size(info.get(name, 0)):
                wrong.append(f'"{where}.{name}" must be a whole number')
        wrong += _splits(where, info.get("splits", []))
        wrong += _features(where, info.get("features"))
    return wrong


def _is_size(value):
    return type(value) is int and value >= 0


def _splits(where, splits):
    if not isinstance(splits, list) or not all(isinstance(split, dict) for split in splits):
        return [f'"{where}.splits" must be an array of objects']
    return [
        f'"{where}.splits[{place}]" must have a name, num_bytes and num_examples'
        for place, split in enumerate(splits)
        if not _SPLIT.fullmatch(str(split.get("name", "")))
        or not _is_size(split.get("num_bytes"))
        or not _is_size(split.get("num_examples"))
    ]


def _features(where, features):
    if features is None:
        return []
    try:
        known = Features._from_yaml_list(features)
    except (TypeError, ValueError, KeyError, AttributeError) as error:
        return [f'"{where}.features" are no types of columns: {error}']
    return [] if len(known) == len(features) else [f'"{where}.features" has a name twice']
