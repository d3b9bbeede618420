"""The card: its numbers follow from the files, and nothing that is put in breaks out."""

import hashlib
import json
import re
import shlex
import warnings
from collections import Counter
from dataclasses import asdict

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from datasets import Dataset, DatasetDict, Features
from datasets.info import DatasetInfosDict
from huggingface_hub import DatasetCard, DatasetCardData
from markdown_it import MarkdownIt
from published import body_of, read_published, tables
from recomputed import disagreements

from cards import card
from cards.datacard import BEGIN, END, handwritten_part, render
from cards.errors import DatasetError
from cards.files import read_json, write_json
from cards.plots import draw
from cards.remaking import build_command
from cards.statistics import statistics_of, values_of
from cards.sums import write_sums
from cards.verifying import verify
from curricula.problem import SCHEMA
from synth import Spec, build_folder
from synth.decontaminate import digest_of

CONTROL = "control structures, from the outside in"
DEPTH = "depth of nested calls of the method"
EXCEPTIONS = "exception that leaves the call"
FEATURES = "further features (share of problems)"


@pytest.fixture(scope="module")
def text(prepared):
    return (prepared / "README.md").read_text()


@pytest.fixture(scope="module")
def body(text):
    return body_of(text)


def test_every_number_in_the_card_is_that_of_the_published_files(prepared):
    assert disagreements(prepared) == set()


def test_refusals_in_the_card_are_those_of_the_build(body, built):
    report = json.loads((built / "report.json").read_text())
    said = {name: int(count) for name, count, _ in tables(body)["reason"]}
    assert said == report["refused"]


def first(change):
    """Change the first row alone."""
    return lambda rows: [change(rows[0]) or rows[0], *rows[1:]]


def only_cell(rows):
    """Let the problems of one cell be about another that has some."""
    cells = Counter((row["shape"]["type"], row["shape"]["method"]) for row in rows)
    rare, other = cells.most_common()[-1][0], cells.most_common()[0][0]
    for row in rows:
        if (row["shape"]["type"], row["shape"]["method"]) == rare:
            row["shape"].update(type=other[0], method=other[1])
    return rows


CHANGES = {
    "a row is lost": (lambda rows: rows[1:], {"config", "problems", "datasheet", "changelog"}),
    "a row comes twice": (lambda rows: [*rows, rows[-1]], {"config", "splits", "dataset_size"}),
    "another tier": (first(lambda r: r.update(tier="unsolved")), {"tier"}),
    "another outcome": (first(lambda r: r.update(outcome="lost")), {"outcome"}),
    "another exception": (first(lambda r: r.update(exception="E")), {EXCEPTIONS}),
    "another family": (first(lambda r: r.update(family="f")), {"programs"}),
    "another program": (first(lambda r: r.update(source="pass\n")), {"programs", "funnel"}),
    "another type": (first(lambda r: r["shape"].update(type="T")), {"type", "every method"}),
    "another method": (first(lambda r: r["shape"].update(method="m")), {"every method", "methods"}),
    "another cell": (only_cell, {"type", "catalogue", "missing cells"}),
    "another control": (first(lambda r: r["shape"].update(control=["x"])), {CONTROL}),
    "another feature": (first(lambda r: r["shape"]["features"].append("x")), {FEATURES}),
    "more helpers": (first(lambda r: r["shape"].update(helpers=9)), {"helper functions"}),
    "deeper calls": (first(lambda r: r["shape"].update(nested_calls=9)), {DEPTH}),
    "more lines": (first(lambda r: r["structure"].update(lines=99)), {"per problem", "lines"}),
    "more steps": (first(lambda r: r["structure"].update(steps=9999)), {"per problem", "steps"}),
    "no questions": (first(lambda r: r.update(questions=[])), {"per problem", "question kind"}),
    "another kind": (first(lambda r: r["questions"][0].update(kind="k")), {"question kind"}),
    "another answer": (
        first(lambda r: r["questions"][0]["answers"][0].update(type="t")),
        {"type of the answer"},
    ),
    "another output": (
        lambda rows: [{**rows[0], "output": {"type": "t", "literal": "0"}}, *rows[1:]],
        {"type of the output"},
    ),
    "another rate": (first(lambda r: r["difficulty"][0].update(rate=1.0)), {"rates 0"}),
    "no rate": (first(lambda r: r["difficulty"][0].update(model="m")), {"rates 0", "rates 1"}),
    "another seed": (first(lambda r: r["provenance"].update(seed=1)), {"seed", "command"}),
    "another Python": (first(lambda r: r["provenance"].update(python="9")), {"Python of the runs"}),
    "another version": (
        first(lambda r: r["provenance"].update(generator_version="9")),
        {"version of execverify", "generator"},
    ),
}


@pytest.mark.parametrize("what", CHANGES)
def test_one_row_that_was_changed_is_found_in_the_card(what, copy):
    change, expected = CHANGES[what]
    path = next(copy.glob("data/problems/train-*"))
    rows = change(pq.read_table(path).to_pylist())
    pq.write_table(pa.Table.from_pylist(rows, schema=SCHEMA), path)
    # Any change is seen by the hash of the file; here by what it makes untrue as well.
    assert disagreements(copy) >= expected | {"hashes"}


@pytest.mark.parametrize("config", ["hard", "trace", "stage1", "sft", "stage2"])
def test_a_row_that_a_config_lost_is_found_in_the_card(config, copy):
    path = next(copy.glob(f"data/{config}/train-*"))
    pq.write_table(pq.read_table(path).slice(1), path)
    assert disagreements(copy) >= {"config", "splits", "hashes"}


def test_numbers_that_nothing_accounts_for_are_found(copy):
    readme = copy / "README.md"
    readme.write_text(readme.read_text() + "\nIt was downloaded 31,415 times.\n")
    assert disagreements(copy) == {"31,415"}


def test_the_example_is_a_row_of_the_train_split(body, prepared):
    identity = re.search(r"Problem `([0-9a-f]{16})` of the train split", body)[1]
    problems = read_published(prepared).problems
    (row,) = [row for split, row in problems if row["id"] == identity and split == "train"]
    assert f"```python\n{row['source'].rstrip()}\n```" in body


def test_the_card_of_a_build_that_recorded_no_catalogue_says_so(copy):
    report = read_json(copy / "report.json")
    del report["catalogue"]
    write_json(copy / "report.json", report)
    body = body_of(render(copy, repo_id="me/demo", license="mit"))
    assert "Which methods could have been planned is not recorded" in body
    assert all(len(row) == 3 for row in tables(body)["type"])


def test_a_dataset_with_every_cell_of_its_catalogue_misses_none(copy):
    report = read_json(copy / "report.json")
    report["catalogue"] = {kind: [] for kind in report["catalogue"]}
    for row in read_published(copy).rows:
        cell = row["shape"]
        report["catalogue"][cell["type"]].append(cell["method"])
    write_json(copy / "report.json", report)
    body = body_of(render(copy, repo_id="me/demo", license="mit"))
    assert "(100.0%) are under test here, so none is missing." in body
    assert "without a problem" not in body


def test_plots_are_drawn_from_the_files(prepared, tmp_path):
    drawn = draw(statistics_of(prepared), values_of(prepared), tmp_path)
    published = sorted(prepared.glob("plots/*.png"))
    assert [path.name for path in sorted(drawn)] == [path.name for path in published]
    assert all(
        path.read_bytes() == (tmp_path / "plots" / path.name).read_bytes() for path in published
    )


def test_the_hub_accepts_the_metadata(text):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        data = DatasetCard(text, ignore_metadata_errors=False).data
    known = DatasetCardData(**data.to_dict())
    assert known.to_dict() == data.to_dict()
    assert data.license == "apache-2.0"
    assert [c["config_name"] for c in data["configs"] if c.get("default")] == ["problems"]


def test_datasets_reads_the_metadata_as_the_schema_of_the_files(text, prepared):
    infos = DatasetInfosDict.from_dataset_card_data(DatasetCard(text).data)
    for name, info in infos.items():
        path = next(prepared.glob(f"data/{name}/*"))
        assert info.features == Features.from_arrow_schema(pq.read_schema(path)), name


def test_the_same_dataset_gives_the_same_card(built, text):
    again = card(built, repo_id="me/demo")
    assert str(again).split("## Changelog")[0] == text.split("## Changelog")[0]
    assert again.data.license == "apache-2.0"


def test_a_changed_row_is_found_by_its_file_and_by_the_card(copy):
    path = next(copy.glob("data/problems/train-*"))
    changed = pq.read_table(path).to_pylist()
    changed[0]["tier"] = "easy" if changed[0]["tier"] != "easy" else "hard"
    pq.write_table(pq.read_table(path).from_pylist(changed, schema=SCHEMA), path)

    name = path.relative_to(copy).as_posix()
    said = {f.place: f.what for f in verify(copy, rows=0).findings}
    assert said[name] == "its SHA-256 is not what SHA256SUMS says"

    # Even where hashes and manifest are changed with it, the card tells.
    manifest = read_json(copy / "manifest.json")
    facts = manifest["files"][name]
    facts["sha256"] = hashlib.sha256(path.read_bytes()).hexdigest()
    facts["bytes"] = path.stat().st_size
    write_json(copy / "manifest.json", manifest)
    write_sums(copy)
    said = {f.place: f.what for f in verify(copy, rows=0).findings}
    assert said.keys() == {"README.md", "croissant.json", "report.json"}
    assert "does not follow from the files" in said["README.md"]


def test_a_program_cannot_break_out_of_the_card(copy):
    path = next(copy.glob("data/problems/train-*"))
    rows = pq.read_table(path).to_pylist()
    bad = "def f(x):\n    y = '```\\n<script>|</details>'\n\n\n\n    return y\n"
    for row in rows:
        row["source"], row["call"] = bad, "f('|`<b>`|')"
        row["shape"]["method"] = "<i>|`x`|</i>"
    pq.write_table(pq.read_table(path).from_pylist(rows, schema=SCHEMA), path)
    for other in copy.glob("data/trace/*"):
        other.unlink()
    body = render(copy, repo_id="me/demo", license="mit")
    assert f"````python\n{bad.rstrip()}\n````" in body
    html = MarkdownIt("commonmark", {"html": True}).enable("table").render(body)
    assert "<script>" not in html
    assert "<i>" not in html
    assert html.count("<details>") == html.count("</details>")


def test_what_is_written_between_the_marks_is_found_as_it_stands():
    mine = "# Mine\n\n\n\n| a | b |\n\n    code"
    assert handwritten_part(f"---\nx: 1\n---\n# t\n{BEGIN}\n{mine}\n{END}\nrest") == mine.strip()
    assert handwritten_part("---\nlicense: mit\n---\n") == ""


def test_a_card_that_is_not_ours_is_kept_whole():
    assert handwritten_part("---\nx: 1\n---\n# Theirs\n\ntext\n") == "# Theirs\n\ntext"


def test_a_mark_that_was_lost_is_told(text):
    with pytest.raises(DatasetError, match="has lost the mark <!-- hand-written: end -->"):
        handwritten_part(text.replace(END, ""))


def test_the_handwritten_part_stands_byte_by_byte(prepared):
    mine = "a  \n\n\n\n\n  b\t<!-- x -->"
    text = render(prepared, repo_id="me/demo", license="mit", handwritten=mine)
    assert f"{BEGIN}\n{mine}\n{END}" in text
    assert handwritten_part(text) == mine


def test_a_dataset_without_its_build_says_so(built, tmp_path):
    from synth import folder

    text = str(card(folder.load(built), configs=[]))
    assert "made in memory: how many programs were refused on the way is not recorded" in text
    assert "How to make it again is not recorded, as it was made in memory." in text


def test_measured_rates_are_told_with_their_model_and_sampling(built, tmp_path):
    from synth import folder

    made = folder.load(built)
    rows = made["train"].to_list()[:10]
    for place, row in enumerate(rows):
        row["difficulty"][0].update(
            source="passrate",
            model="org/model",
            samples=10,
            passes=place,
            rate=place / 10,
            low=0.0,
            high=0.5,
            temperature=1.0,
            top_p=0.9,
            max_tokens=256,
            prompt="1",
        )
        row["tier"] = "hard"
    measured = DatasetDict({"train": Dataset(pa.Table.from_pylist(rows, schema=SCHEMA))})
    text = " ".join(str(card(measured, configs=[])).split())
    assert "**Measured** with `org/model`: 100 replies to 10 problems, temperature 1" in text
    assert "45 were right. Mean pass rate 0.45; the 95% intervals (Wilson) are 0.50 wide" in text
    assert "**Estimated**" not in text


def test_the_build_command_a_build_is_read_back_as_its_spec():
    spec = Spec("hard", 5, -3, like="cruxeval", kinds=("state",), questions=4, stdlib=True)
    words = shlex.split(build_command({**asdict(spec), "benchmarks": ["cruxeval", "my set.jsonl"]}))
    named = [words[at + 1] for at, word in enumerate(words) if word == "--decontaminate"]
    assert named == ["cruxeval", "my set.jsonl"]
    said = {name: words[words.index(name) + 1] for name in words if name.startswith("--")}
    assert said.keys() >= {f"--{field}" for field in asdict(spec) if asdict(spec)[field]}
    assert (said["--seed"], said["--kinds"], said["--questions"]) == ("-3", "state", "4")


def test_what_was_compared_and_dropped_is_told_where_the_build_reports_it(copy):
    report = read_json(copy / "report.json")
    report["refused"]["too alike"] = 1234
    report["duplicates"] = 17
    report["decontamination"] = {"cruxeval": {"programs": 800, "refused": 3}}
    write_json(copy / "report.json", report)
    manifest = read_json(copy / "manifest.json")
    manifest["build"]["spec"]["benchmarks_sha256"] = "0123" * 16
    write_json(copy / "manifest.json", manifest)
    (copy / "README.md").write_text(render(copy, repo_id="me/demo", license="apache-2.0"))
    body = body_of((copy / "README.md").read_text())
    assert tables(body)["benchmark"] == [["cruxeval", "800", "3"]]
    assert "1,234 programs were dropped within parts, 17 between them." in body
    assert disagreements(copy) == set()


def test_the_card_of_a_decontaminated_build_names_what_it_was_compared_with(tmp_path):
    known = tmp_path / "known.jsonl"
    known.write_text(json.dumps({"code": "def f(x):\n    return [x, x + 1][::-1]\n"}) + "\n")
    digest = digest_of([known])
    spec = Spec("all", 6, 3, benchmarks=(str(known),), benchmarks_sha256=digest)
    build_folder(spec, tmp_path / "build", workers=1)
    text = str(card(tmp_path / "build", configs=[]))
    assert f"have the SHA-256 `{digest}` (`benchmarks_sha256`" in " ".join(text.split())
    assert "--decontaminate known.jsonl --out" in text


def test_importing_cards_is_light():
    import subprocess
    import sys

    code = "import sys, cards; print([m for m in ('matplotlib', 'datasets', 'polars', 'huggingface_hub') if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
