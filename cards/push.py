"""Pushes a folder as one version of a dataset: one commit, then its tag.

Readers see the old version or the whole new one: files go up as blobs first, which nobody
sees, and one commit makes them visible all at once. Pushing again what was interrupted
goes on where it was: blobs that have arrived are not sent again, a commit that was made is
recognised, and a tag that is there already must be of the same files.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cards.errors import HubError, VersionError
from cards.hub import PAUSES, Lost, client, trying
from cards.layout import is_ours
from cards.versions import Version, latest, read_version
from tracing.errors import UsageError

__all__ = ["Pushed", "Remote", "look", "push"]


@dataclass(frozen=True, slots=True)
class Remote:
    """What the Hub has of a dataset.

    Attributes:
        exists: Whether the repository is there.
        head: Commit of the main branch, or an empty text.
        tags: Commits of the tags.
    """

    exists: bool
    head: str
    tags: Mapping[str, str]

    def latest(self, below: Version | None = None) -> Version | None:
        """Give the highest version that is there.

        Args:
            below: Only versions below this one.

        Returns:
            The version, or None.
        """
        tags = [t for t in self.tags if below is None or _is_below(t, below)]
        return latest(tags)


def _is_below(tag: str, version: Version) -> bool:
    known = latest([tag])
    return known is not None and known < version


@dataclass(frozen=True, slots=True)
class Pushed:
    """What came of a push.

    Attributes:
        repo_id: The repository.
        version: The version.
        commit: Its commit.
        url: Where it can be looked at.
        is_new: False where the very same version was there already.
    """

    repo_id: str
    version: Version
    commit: str
    url: str
    is_new: bool


def look(repo_id: str, *, token: str | None = None) -> Remote:
    """Look at what the Hub has of a dataset.

    Args:
        repo_id: The repository.
        token: A token; None for the usual places.

    Returns:
        What is there; a repository that cannot be seen does not exist for us.

    Raises:
        HubError: The Hub refuses, or cannot be reached.
    """
    from huggingface_hub.errors import RepositoryNotFoundError

    api = client(token)

    def refs() -> Any:
        try:
            return api.list_repo_refs(repo_id, repo_type="dataset")
        except RepositoryNotFoundError:
            return None

    found = trying("look at the versions", repo_id, refs)
    if found is None:
        return Remote(False, "", {})
    heads = [branch.target_commit for branch in found.branches if branch.name == "main"]
    tags = {tag.name: tag.target_commit for tag in found.tags}
    return Remote(True, heads[0] if heads else "", tags)


def push(
    folder: Path,
    repo_id: str,
    version: str,
    *,
    private: bool = False,
    token: str | None = None,
) -> Pushed:
    """Push a folder as a version.

    Args:
        folder: What is to be published, with its manifest; see :func:`cards.publish`.
        repo_id: The repository; it is created where it is missing.
        version: The version.
        private: Whether a repository that is created is private; one that is there must be.
        token: A token; None for the usual places.

    Returns:
        The commit.

    Raises:
        VersionError: The version is there already with other files, or a higher one is.
        UsageError: The repository is to be private, and is there and public.
        HubError: The Hub refuses, or cannot be reached; nothing is half published.
    """
    wanted = read_version(version)
    api = client(token)
    local = _local(folder)
    remote = look(repo_id, token=token)
    if wanted.tag in remote.tags:
        return _same_version(api, repo_id, wanted, remote, local)
    newest = remote.latest()
    if newest is not None and newest > wanted:
        raise VersionError(f"{repo_id} has version {newest} already; publish a higher one")
    if remote.exists:
        if private:
            _check_private(api, repo_id)
    else:
        trying(
            "create the repository",
            repo_id,
            lambda: api.create_repo(repo_id, repo_type="dataset", private=private, exist_ok=True),
        )
    commit = _commit(api, folder, repo_id, wanted, local)
    _tag(api, repo_id, wanted, commit)
    return _pushed(api, repo_id, wanted, commit, is_new=True)


def _pushed(api: Any, repo_id: str, version: Version, commit: str, *, is_new: bool) -> Pushed:
    url = f"{api.endpoint}/datasets/{repo_id}/tree/{version.tag}"
    return Pushed(repo_id, version, commit, url, is_new)


def _check_private(api: Any, repo_id: str) -> None:
    """Refuse to show the world what is meant to be private."""
    found = trying("look at the settings", repo_id, lambda: api.dataset_info(repo_id))
    if not found.private:
        raise UsageError(
            f"{repo_id} is there and public; make it private on the Hub first, or publish "
            "without private"
        )


def _same_version(
    api: Any, repo_id: str, version: Version, remote: Remote, local: Mapping[str, Any]
) -> Pushed:
    """Accept a version that is there already, if it is this very one."""
    stored = _remote(api, repo_id, version.tag)
    if not _holds(stored, local):
        raise VersionError(
            f"{repo_id} has version {version} already, with other files; a version is never "
            f"changed: publish {version.after('patch')} or higher"
        )
    return _pushed(api, repo_id, version, remote.tags[version.tag], is_new=False)


def _commit(
    api: Any, folder: Path, repo_id: str, version: Version, local: Mapping[str, Any]
) -> str:
    """Make the commit, or recognise that it has been made."""
    for pause in (*PAUSES, None):
        head = look(repo_id, token=api.token).head
        stored = _remote(api, repo_id, head) if head else {}
        if head and _holds(stored, local):
            return head
        operations = _operations(folder, local, stored)
        try:
            made = trying(
                "upload the data",
                repo_id,
                lambda o=operations, h=head: api.create_commit(  # type: ignore[misc]
                    repo_id,
                    o,
                    repo_type="dataset",
                    commit_message=f"Version {version}",
                    parent_commit=h or None,
                ),
                again=False,
            )
        except Lost:
            # It may have been carried out all the same: look, before it is tried again.
            if pause is None:
                raise
            time.sleep(pause)
            continue
        return str(made.oid)
    raise AssertionError("unreachable")


def _operations(folder: Path, local: Mapping[str, Any], stored: Mapping[str, Any]) -> list[Any]:
    from huggingface_hub import CommitOperationAdd, CommitOperationDelete

    add: list[Any] = [CommitOperationAdd(name, folder / name) for name in sorted(local)]
    stale = sorted(name for name in stored if is_ours(name) and name not in local)
    return add + [CommitOperationDelete(name) for name in stale]


def _tag(api: Any, repo_id: str, version: Version, commit: str) -> None:
    for pause in (*PAUSES, None):
        try:
            trying(
                "tag the version",
                repo_id,
                lambda: api.create_tag(
                    repo_id,
                    tag=version.tag,
                    revision=commit,
                    tag_message=f"Version {version}",
                    repo_type="dataset",
                ),
                again=False,
            )
            return
        except HubError as error:
            tagged = look(repo_id, token=api.token).tags.get(version.tag)
            if tagged == commit:
                return
            if tagged is not None:
                raise VersionError(
                    f"{repo_id} got a version {version} meanwhile; it is not changed"
                ) from None
            if not isinstance(error, Lost) or pause is None:
                raise
            time.sleep(pause)


def _local(folder: Path) -> dict[str, tuple[str, str]]:
    """For each file, its SHA-256 and its git hash: the Hub names it by either."""
    return {
        path.relative_to(folder).as_posix(): _hashes(path)
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def _hashes(path: Path) -> tuple[str, str]:
    sha256, git = hashlib.sha256(), hashlib.sha1(usedforsecurity=False)
    git.update(f"blob {path.stat().st_size}\0".encode())
    with path.open("rb") as file:
        while block := file.read(1 << 20):
            sha256.update(block)
            git.update(block)
    return sha256.hexdigest(), git.hexdigest()


def _remote(api: Any, repo_id: str, revision: str) -> dict[str, str]:
    """For each file of a revision, the hash that the Hub names it by."""

    def listed() -> dict[str, str]:
        tree = api.list_repo_tree(repo_id, repo_type="dataset", revision=revision, recursive=True)
        return {
            item.path: item.lfs.sha256 if item.lfs else item.blob_id
            for item in tree
            if hasattr(item, "blob_id")
        }

    return trying("list the files", repo_id, listed)


def _holds(stored: Mapping[str, str], local: Mapping[str, tuple[str, str]]) -> bool:
    """Tell whether a revision has exactly these files, others than ours apart."""
    if any(name not in stored or stored[name] not in hashes for name, hashes in local.items()):
        return False
    return not any(is_ours(name) and name not in local for name in stored)
