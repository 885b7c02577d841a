"""Counts what the extractors of a yt-dlp give and need, as JSON: {"version", "extractors", "kinds": [[group, kind, count], ...]}.

Usage: count_kinds.py [FOLDER], where FOLDER is the one that has yt_dlp in it; without it, the yt-dlp that this Python
finds. The source is parsed and not run: the tables of tests, the attributes of the classes, and what their code calls or
writes into results. An extractor has what its base classes have, except for the one of all.
"""

import ast
import collections
import json
import sys
from importlib.util import find_spec
from pathlib import Path

ROOT = "InfoExtractor"
RESULT, PROTOCOL, NEEDS, STATE = "result", "protocol", "needs", "state"

# By the name of what is called, without the end that asks for subtitles too.
CALLS = {
    "url_result": (RESULT, "url"),
    "playlist_result": (RESULT, "playlist"),
    "playlist_from_matches": (RESULT, "playlist"),
    "_extract_m3u8_formats": (PROTOCOL, "m3u8"),
    "_extract_mpd_formats": (PROTOCOL, "dash"),
    "_extract_ism_formats": (PROTOCOL, "ism"),
    "_extract_f4m_formats": (PROTOCOL, "f4m"),
    "_extract_akamai_formats": (PROTOCOL, "m3u8"),
    "_get_cookies": (NEEDS, "a cookie"),
    "_set_cookie": (NEEDS, "a cookie"),
    "raise_login_required": (NEEDS, "an account, at times"),
    "raise_geo_restricted": (NEEDS, "a country, at times"),
    "report_drm": (STATE, "DRM, at times"),
}
# Written into results and formats.
KEYS = {
    "http_headers": (NEEDS, "a header of media"),
    "cookies": (NEEDS, "a cookie"),
    "has_drm": (STATE, "DRM, at times"),
    "is_live": (STATE, "live, at times"),
}
TYPES = {"video", "playlist", "multi_video", "url", "url_transparent"}
PROTOCOLS = {
    "m3u8": "m3u8",
    "m3u8_native": "m3u8",
    "http_dash_segments": "dash",
    "ism": "ism",
    "f4m": "f4m",
    "rtmp": "rtmp",
    "rtmp_ffmpeg": "rtmp",
    "rtmpe": "rtmp",
    "rtsp": "rtsp",
    "mms": "mms",
    "mhtml": "mhtml",
    "websocket_frag": "websocket",
}
KEYWORDS = {"impersonate": (NEEDS, "the handshake of a browser"), "url_transparent": (RESULT, "url_transparent")}
TESTS = {"_TEST", "_TESTS"}


def constant(node):
    return node.value if isinstance(node, ast.Constant) else None


def name_of(node):
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else None


def entries_of(node):
    return {constant(key): value for key, value in zip(node.keys, node.values) if constant(key) is not None}


def kinds_of_code(node):
    """Yields what an expression says, wherever it stands in a class."""
    if isinstance(node, ast.Call):
        name = (name_of(node.func) or "").removesuffix("_and_subtitles")
        words = {word.arg: word.value for word in node.keywords}
        if name in CALLS and not (name == "url_result" and "url_transparent" in words):
            yield CALLS[name]
        for word in words:
            if word in KEYWORDS and constant(words[word]) is not False:
                yield KEYWORDS[word]
        if constant(words.get("multi_video")) is True:
            yield RESULT, "multi_video"
    elif isinstance(node, ast.Dict):
        entries = entries_of(node)
        yield from (KEYS[key] for key in entries if key in KEYS)
        if constant(entries.get("_type")) in TYPES:
            yield RESULT, constant(entries["_type"])
        if constant(entries.get("protocol")) in PROTOCOLS:
            yield PROTOCOL, PROTOCOLS[constant(entries["protocol"])]


def kinds_of_test(test):
    """Yields what a test of an extractor expects."""
    entries = entries_of(test)
    if any(key.startswith("playlist") for key in entries if isinstance(key, str)):
        yield RESULT, "playlist"
    info = entries.get("info_dict")
    if not isinstance(info, ast.Dict):
        return
    expected = entries_of(info)
    if "ext" in expected:
        yield RESULT, "video"
    age = constant(expected.get("age_limit"))
    if isinstance(age, int) and age > 0:
        yield STATE, "an age limit, at times"


def kinds_of_class(node):
    for statement in node.body:
        names = [name_of(target) for target in statement.targets] if isinstance(statement, ast.Assign) else []
        value = getattr(statement, "value", None)
        if "_WORKING" in names and constant(value) is False:
            yield STATE, "broken, says yt-dlp"
        if "_NETRC_MACHINE" in names and constant(value) is not None:
            yield NEEDS, "an account, at times"
        if any(name in TESTS for name in names):
            tests = value.elts if isinstance(value, ast.List | ast.Tuple) else [value]
            for test in tests:
                if isinstance(test, ast.Dict):
                    yield from kinds_of_test(test)
        # What a test expects is not what it was given.
        else:
            for part in ast.walk(statement):
                yield from kinds_of_code(part)


def with_bases(name, classes, seen=()):
    if name == ROOT or name in seen or name not in classes:
        return set()
    bases, kinds = classes[name]
    return kinds.union(*(with_bases(base, classes, (*seen, name)) for base in bases))


def main():
    package = Path(sys.argv[1]) / "yt_dlp" if len(sys.argv) > 1 else Path(find_spec("yt_dlp").origin).parent
    parse = lambda path: ast.parse(path.read_text(encoding="utf-8"))  # noqa: E731
    classes = {}
    for path in sorted((package / "extractor").rglob("*.py")):
        # It repeats the others without what they do.
        if path.name == "lazy_extractors.py":
            continue
        for node in ast.walk(parse(path)):
            if isinstance(node, ast.ClassDef):
                classes[node.name] = ([name_of(base) for base in node.bases], set(kinds_of_class(node)))
    listed = parse(package / "extractor" / "_extractors.py")
    names = {alias.name for node in ast.walk(listed) if isinstance(node, ast.ImportFrom) for alias in node.names}
    names = {name for name in names if name.endswith("IE")}
    counts = collections.Counter(kind for name in names for kind in with_bases(name, classes))
    version = next(
        constant(node.value)
        for node in parse(package / "version.py").body
        if isinstance(node, ast.Assign) and name_of(node.targets[0]) == "__version__"
    )
    kinds = sorted(((*kind, count) for kind, count in counts.items()), key=lambda row: (row[0], -row[2], row[1]))
    print(json.dumps({"version": version, "extractors": len(names), "kinds": kinds}))


if __name__ == "__main__":
    main()
