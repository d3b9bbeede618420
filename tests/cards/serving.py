"""Serves a Hub: the part of its HTTP interface that the genuine clients use.

Point the clients at it by ``HF_ENDPOINT``.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
import threading
import time
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, unquote, urlsplit

from card_rules import errors_of
from hub import Hub, Repo, oid_of

_LFS = (".parquet", ".png", ".bin")


def _is_private(asked: dict) -> bool:
    # Clients before 2.0 ask by the first name.
    return bool(asked.get("private")) or asked.get("visibility") == "private"


def _entry(path: str, data: bytes) -> dict:
    entry = {"type": "file", "path": path, "size": len(data), "oid": oid_of(data)}
    if path.endswith(_LFS):
        sha = hashlib.sha256(data).hexdigest()
        entry["lfs"] = {"oid": sha, "size": len(data), "pointerSize": 130}
    return entry


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    hub: Hub

    def log_message(self, *_):
        pass

    def handle_request(self) -> None:
        hub = self.hub
        body = self._body()
        with hub.lock:
            hub.log.append(f"{self.command} {unquote(self.path)}")
            hub.authorizations.append(self.headers.get("Authorization"))
            fault = hub.fault()
        if fault is not None and hub.on_fault:
            hub.on_fault(fault)
        if fault is not None and fault.kind == "delay":
            time.sleep(fault.value)
        if fault is not None and fault.kind == "cut":
            return self._cut()
        if fault is not None and fault.kind == "status":
            return self._send({"error": "told to fail"}, int(fault.value), fault.headers)
        self.silent = fault is not None and fault.kind == "cut_after"
        with hub.lock:
            self._route(body)

    do_GET = do_HEAD = do_POST = do_PUT = do_DELETE = handle_request

    def _body(self) -> bytes:
        if self.headers.get("Transfer-Encoding") == "chunked":
            parts = []
            while size := int(self.rfile.readline().strip() or b"0", 16):
                parts.append(self.rfile.read(size))
                self.rfile.readline()
            self.rfile.readline()
            return b"".join(parts)
        return self.rfile.read(int(self.headers.get("Content-Length") or 0))

    def _cut(self) -> None:
        if self.hub.on_cut:
            self.hub.on_cut()
        self.close_connection = True
        self.connection.close()

    def _send(self, value, status: int = 200, headers=None) -> None:
        if getattr(self, "silent", False):
            return self._cut()
        data = value if isinstance(value, bytes) else json.dumps(value).encode()
        self.send_response(status)
        for name, text in (headers or {}).items():
            self.send_header(name, text)
        if "Content-Length" not in (headers or {}):
            self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(data)

    def _missing(self, code: str, **headers: str) -> None:
        self._send({"error": code}, 404, {"X-Error-Code": code, **headers})

    def _may_write(self) -> bool:
        if self.headers.get("Authorization") == f"Bearer {self.hub.token}":
            return True
        self._send({"error": "unauthorized"}, 401)
        return False

    def _route(self, body: bytes) -> None:
        url = urlsplit(self.path)
        for pattern, method in _ROUTES:
            match = re.fullmatch(pattern, url.path)
            if match:
                return getattr(self, method)(
                    body, parse_qs(url.query), *map(unquote, match.groups())
                )
        self._missing("EntryNotFound")

    def whoami(self, *_):
        if self._may_write():
            self._send(
                {
                    "type": "user",
                    "name": "me",
                    "orgs": [],
                    "auth": {"accessToken": {"role": "write"}},
                }
            )

    def validate(self, body, _):
        content = json.loads(body)["content"]
        errors = [{"message": text} for text in errors_of(content)]
        self._send({"errors": errors, "warnings": []}, 400 if errors else 200)

    def create(self, body, _):
        if not self._may_write():
            return
        asked = json.loads(body)
        name = f"{asked.get('organization') or 'me'}/{asked['name']}"
        if name in self.hub.repos:
            return self._send({"error": "exists", "url": name}, 409)
        repo = self.hub.repos[name] = Repo(_is_private(asked))
        self.hub.commit(repo, "main", {".gitattributes": b"*.parquet filter=lfs\n"})
        self._send({"url": name, "name": name, "id": name})

    def _repo(self, name: str) -> Repo | None:
        repo = self.hub.repos.get(name)
        hidden = (
            repo
            and repo.private
            and self.headers.get("Authorization") != f"Bearer {self.hub.token}"
        )
        if repo is None or hidden:
            self._missing("RepoNotFound")
            return None
        return repo

    def _commit_of(self, name: str, revision: str):
        repo = self._repo(name)
        if repo is None:
            return None, None
        oid = repo.resolve(revision)
        if oid is None:
            self._missing("RevisionNotFound")
        return repo, oid

    def info(self, _, __, name, revision="main"):
        repo, oid = self._commit_of(name, revision)
        if oid:
            siblings = [{"rfilename": path} for path in sorted(repo.commits[oid])]
            self._send(
                {
                    "id": name,
                    "sha": oid,
                    "private": repo.private,
                    "gated": False,
                    "disabled": False,
                    "tags": [],
                    "siblings": siblings,
                    "lastModified": "2026-01-01T00:00:00.000Z",
                }
            )

    def preupload(self, body, _, name, revision):
        _repo, oid = self._commit_of(name, revision)
        if oid and self._may_write():
            files = [
                {
                    "path": f["path"],
                    "uploadMode": "lfs" if f["path"].endswith(_LFS) else "regular",
                    "shouldIgnore": False,
                    "oid": None,
                }
                for f in json.loads(body)["files"]
            ]
            self._send({"files": files})

    def batch(self, body, _, name):
        if not self._may_write():
            return
        objects = []
        for asked in json.loads(body)["objects"]:
            item = {"oid": asked["oid"], "size": asked["size"]}
            if asked["oid"] not in self.hub.blobs:
                host = self.headers["Host"]
                item["actions"] = {"upload": {"href": f"http://{host}/blob/{asked['oid']}"}}
            objects.append(item)
        self._send(
            {"transfer": "basic", "objects": objects},
            200,
            {"Content-Type": "application/vnd.git-lfs+json"},
        )

    def put_blob(self, body, _, oid):
        if hashlib.sha256(body).hexdigest() != oid:
            return self._send({"error": "wrong hash"}, 400)
        self.hub.blobs[oid] = body
        self._send({})

    def commit(self, body, _, name, revision):
        repo, oid = self._commit_of(name, revision)
        if not oid or not self._may_write():
            return
        files = dict(repo.commits[oid])
        for line in body.splitlines():
            item = json.loads(line)
            key, value = item["key"], item["value"]
            if key == "header" and value.get("parentCommit") not in (None, oid):
                return self._send({"error": "the branch has moved"}, 412)
            if key == "file":
                files[value["path"]] = base64.b64decode(value["content"])
            elif key == "lfsFile":
                files[value["path"]] = self.hub.blobs[value["oid"]]
            elif key == "deletedFile":
                files.pop(value["path"])
            elif key == "deletedFolder":
                files = {p: d for p, d in files.items() if not p.startswith(value["path"])}
        made = self.hub.commit(repo, revision, files)
        self._send(
            {
                "success": True,
                "commitOid": made,
                "hookOutput": "",
                "commitUrl": f"http://{self.headers['Host']}/datasets/{name}/commit/{made}",
            }
        )

    def refs(self, _, __, name):
        repo = self._repo(name)
        if repo:

            def listed(refs, kind):
                return [
                    {"name": n, "ref": f"refs/{kind}/{n}", "targetCommit": c}
                    for n, c in refs.items()
                ]

            self._send(
                {
                    "branches": listed(repo.branches, "heads"),
                    "tags": listed(repo.tags, "tags"),
                    "converts": [],
                }
            )

    def tag(self, body, _, name, revision):
        repo, oid = self._commit_of(name, revision)
        if not oid or not self._may_write():
            return
        tag = json.loads(body)["tag"]
        if tag in repo.tags:
            return self._send({"error": "tag exists"}, 409)
        repo.tags[tag] = oid
        self._send({})

    def tree(self, _, query, name, revision, path=""):
        repo, oid = self._commit_of(name, revision)
        if not oid:
            return
        files = repo.commits[oid]
        start = f"{path.strip('/')}/" if path.strip("/") else ""
        inside = {p: d for p, d in files.items() if p.startswith(start)}
        if start and not inside:
            return self._missing("EntryNotFound")
        deep = query.get("recursive", ["false"])[0].lower() in ("true", "1")
        folders = {p[:i] for p in inside for i in range(len(start), len(p)) if p[i] == "/"}
        entries = [
            _entry(p, d) for p, d in sorted(inside.items()) if deep or "/" not in p[len(start) :]
        ]
        entries += [
            {"type": "directory", "path": f, "oid": hashlib.sha1(f.encode()).hexdigest(), "size": 0}
            for f in sorted(folders)
            if deep or "/" not in f[len(start) :]
        ]
        self._send(entries)

    def paths_info(self, body, _, name, revision):
        repo, oid = self._commit_of(name, revision)
        if oid:
            text = body.decode()
            asked = (
                json.loads(text)["paths"]
                if text.startswith("{")
                else parse_qs(text).get("paths", [])
            )
            files = repo.commits[oid]
            self._send([_entry(path, files[path]) for path in asked if path in files])

    def resolve(self, _, __, name, revision, path):
        repo, oid = self._commit_of(name, revision)
        if not oid:
            return
        data = repo.commits[oid].get(path)
        if data is None:
            return self._missing("EntryNotFound", **{"X-Repo-Commit": oid})
        entry = _entry(path, data)
        etag = entry.get("lfs", entry)["oid"]
        headers = {"ETag": f'"{etag}"', "X-Repo-Commit": oid, "Accept-Ranges": "bytes"}
        wanted = re.fullmatch(r"bytes=(\d+)-(\d*)", self.headers.get("Range") or "")
        if wanted:
            first, last = int(wanted[1]), int(wanted[2] or len(data) - 1)
            part = data[first : last + 1]
            headers["Content-Range"] = f"bytes {first}-{first + len(part) - 1}/{len(data)}"
            return self._send(part, 206, {**headers, "Content-Length": str(len(part))})
        self._send(data, 200, {**headers, "Content-Length": str(len(data))})


_NAME = r"/api/datasets/([^/]+/[^/]+)"
_ROUTES = (
    (r"/api/whoami-v2", "whoami"),
    (r"/api/validate-yaml", "validate"),
    (r"/api/repos/create", "create"),
    (rf"{_NAME}", "info"),
    (rf"{_NAME}/revision/([^/]+)", "info"),
    (rf"{_NAME}/preupload/([^/]+)", "preupload"),
    (r"/datasets/([^/]+/[^/]+)\.git/info/lfs/objects/batch", "batch"),
    (r"/blob/([0-9a-f]+)", "put_blob"),
    (rf"{_NAME}/commit/([^/]+)", "commit"),
    (rf"{_NAME}/refs", "refs"),
    (rf"{_NAME}/tag/([^/]+)", "tag"),
    (rf"{_NAME}/tree/([^/]+)", "tree"),
    (rf"{_NAME}/tree/([^/]+)/(.*)", "tree"),
    (rf"{_NAME}/paths-info/([^/]+)", "paths_info"),
    (r"/datasets/([^/]+/[^/]+)/resolve/([^/]+)/(.+)", "resolve"),
)


@contextmanager
def serve(hub: Hub):
    """Run a Hub on a free port; gives its address."""
    handler = type("BoundHandler", (Handler,), {"hub": hub})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    server.daemon_threads = True
    thread = threading.Thread(
        target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True
    )
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
