"""The card is true of every kind of dataset that can be published."""

import json
import re
import shlex

import pytest
import typer
from kinds import KINDS, NARRATED, answering
from published import body_of, read_published, tables
from recomputed import disagreements

from cards.columns import COLUMNS
from cards.layout import CONFIGS
from cards.publishing import prepare
from cards.schemas import SCHEMAS
from cards.staging import stage
from cards.verifying import verify
from cards.versions import read_version
from synth import Spec, build_folder


@pytest.fixture(scope="module")
def small(tmp_path_factory):
    out = tmp_path_factory.mktemp("small") / "build"
    build_folder(Spec("all", 24, 11), out, workers=1)
    return out


@pytest.fixture(scope="module")
def published(small, tmp_path_factory):
    """Make the folder that would be published of a kind, once; not to be changed."""
    made = {}

    def folder_of(name):
        if name not in made:
            place = tmp_path_factory.mktemp("kinds")
            data, options = KINDS[name].make(small, place / "build"), KINDS[name].options
            if name == NARRATED:
                with answering(small) as server:
                    stage(data, place / "version", narrator=server.spec, **options)
            else:
                stage(data, place / "version", **options)
            prepare(place / "version", "me/demo", read_version("1.0.0"))
            made[name] = place / "version"
        return made[name]

    return folder_of


@pytest.fixture(scope="module", params=KINDS)
def version(request, published):
    """Of each kind."""
    return published(request.param)


def card_of(place):
    return " ".join(body_of((place / "README.md").read_text()).split())


def test_every_number_of_the_card_is_that_of_the_files_of_any_dataset(version):
    assert disagreements(version) == set()


@pytest.mark.parametrize("name", sorted(KINDS.keys() - {"rated by another estimate"}))
def test_nothing_is_found_in_what_is_published_of_any_dataset(name, published):
    assert verify(published(name), rows=3).findings == ()


def test_every_config_and_split_that_the_card_names_is_there(version):
    # "Train with it" always loaded stage1, and sft and stage2 were always described.
    data = read_published(version)
    body = body_of((version / "README.md").read_text())
    named = set(re.findall(r"`(\w+)`", body)) & CONFIGS.keys()
    assert named == data.files.keys()
    loaded = re.findall(r'load_dataset\("me/demo", "(\w+)"(?:, split="(\w+)")?', body)
    assert all(not split or split in data.files[config] for config, split in loaded)
    assert {config for config, _ in loaded} <= data.files.keys()
    if "train" not in data.files["problems"]:
        assert "No problem is in a train split: what is here is for testing." in body


def test_the_example_is_said_to_be_in_the_split_that_it_is_in(version):
    # It was said to be of the train split, wherever it was found.
    data = read_published(version)
    body = body_of((version / "README.md").read_text())
    identity, split = re.search(r"Problem `([0-9a-f]{16})` of the (\w+) split", body).groups()
    assert (split, identity) in {(of, row["id"]) for of, row in data.problems}
    assert split == min((of for of, _ in data.problems), key=("train", "validation", "test").index)


def test_a_problem_is_not_counted_as_a_program(published):
    # A program gives up to three problems; the headline called each of them a program.
    card = card_of(published("built"))
    assert "24 problems over 8 small Python programs. Each is one call of a program" in card
    described = json.loads((published("built") / "croissant.json").read_text())["description"]
    assert described.startswith("24 problems over 8 small Python programs: one call")


SAME_BYTES = "The same version, seed and Python give the same bytes in the data files"


@pytest.mark.parametrize("name", ["graded", "graded by two models", NARRATED])
def test_what_a_model_replied_is_not_said_to_come_out_the_same(name, published):
    card = card_of(published(name))
    assert SAME_BYTES not in card
    assert "What a model replied is not repeatable" in card
    assert SAME_BYTES in card_of(published("built"))


def test_every_command_that_made_a_dataset_is_told_in_its_order(published):
    # A graded folder's card told the build alone.
    data = published("graded by two models") / "data"
    text = (data.parent / "README.md").read_text()
    commands = re.findall(r"^synth (?:build|grade|publish) .*$", text, re.M)
    folder = "curriculum/all-11"
    assert commands == [
        f"synth build --tier all --size 24 --seed 11 --out {folder}",
        f"synth grade {folder} --engine ENGINE:org/model-0 --samples 2 --temperature 0.7 "
        "--top-p 0.9 --max-tokens 64",
        f"synth grade {folder} --engine ENGINE:org/model-1 --samples 3 --temperature 1 "
        "--top-p 0.9 --max-tokens 1024 --shots 2",
        f"synth publish {folder} me/demo --version 1.0.0 --license apache-2.0 --configs "
        + ",".join(name for name in CONFIGS if name != "problems" and (data / name).exists()),
    ]
    for command in commands:
        verb, *words = shlex.split(command)[1:]
        assert not unknown_options(verb, words)


def unknown_options(verb, words):
    """Options that the command line does not have."""
    from synth.__main__ import app

    command = typer.main.get_command(app).get_command(None, verb)
    known = {option for parameter in command.params for option in parameter.opts}
    return {word for word in words if word.startswith("--")} - known


def test_who_wrote_the_programs_is_told_as_the_rows_have_it(published):
    # Every card said that a generator and no model wrote them, own and proposed ones included.
    rows = read_published(published("of own programs, too")).rows
    card = card_of(published("of own programs, too"))
    assert "Somebody gave 1 program (2 problems) with their calls" in card
    assert f"A generator wrote {len({r['source'] for r in rows}) - 1} programs (5 problems)" in card
    card = card_of(published("of own programs"))
    assert "generator wrote" not in card
    assert "No text by or about people" not in card
    card = card_of(published("of a model's programs"))
    assert re.search(r"The model `openai:org/coder` proposed \d programs \(6 problems\)", card)
    assert "they come from no model" not in card


def test_the_sentence_on_tiers_follows_from_each_problems_last_rate(published):
    # All were said to be of the model, where one rate was measured, and of the estimate without.
    said = {
        "graded": ["- Tiers are of the model that was asked"],
        "graded by two models": ["- Tiers are of the model that was asked"],
        "graded in part": [
            "- The tiers of 4 problems are of the model that was asked",
            "- The tiers of 2 problems are an estimate",
        ],
        "drawn anew by the estimate": ["- Tiers are an estimate"],
        "without rates": ["- What tiers follow from is not recorded"],
    }
    for name, sentences in said.items():
        card = card_of(published(name))
        every = [text for some in said.values() for text in some]
        assert [text for text in dict.fromkeys(every) if text in card] == sentences, name


def test_methods_are_not_counted_for_programs_that_claim_none(published):
    # They counted as a cell ".", of a type without a name, without control structures.
    place = published("of own programs, too")
    shapes = [row["shape"] for row in read_published(place).rows if row["shape"]["type"]]
    card = card_of(place)
    assert "2 problems of somebody's own programs claim none." in card
    assert f"of {len({shape['type'] for shape in shapes})} type" in card
    found = tables(body_of((place / "README.md").read_text()))
    assert sum(int(count) for _, count, _ in found["helper functions"]) == len(shapes) == 5
    assert (
        not {"type", "helper functions"}
        & tables(body_of((published("of own programs") / "README.md").read_text())).keys()
    )
    assert not (published("of own programs") / "plots" / "methods.png").exists()


def test_the_quality_of_an_estimate_is_told_of_the_one_that_it_was_measured_of(published):
    # Whatever a row named, the card told the quality of the estimate that is shipped.
    card = card_of(published("rated by another estimate"))
    assert "by `own-2` for 6 problems" in card
    assert "How good it is is not recorded." in card
    assert "AUC" not in card


def test_every_column_of_every_config_is_described():
    # Those of replies were not.
    for config, schema in SCHEMAS.items():
        for name in schema.names:
            assert COLUMNS.get(f"{config}.{name}") or COLUMNS.get(name), (config, name)
