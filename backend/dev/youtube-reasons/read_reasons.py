"""Prints every reason that a yt-dlp can give for not reading something of YouTube, as JSON: [[kind, text], ...].

Usage: read_reasons.py [FOLDER], where FOLDER is the one that has yt_dlp in it; without it, the yt-dlp that this Python
finds. The source is parsed and not run. Kinds are
"error", "warning" and "compared" (a part of the site's own reasons, which yt-dlp looks for). In a text, {} stands for
what is put in when yt-dlp runs. Long texts are cut: their ends are advice.
"""

import ast
import itertools
import json
import re
import sys
from importlib.util import find_spec
from pathlib import Path

# What is called with a message, and how that is printed.
CALLS = {
    "ExtractorError": "error",
    "UserNotLive": "error",
    "raise_geo_restricted": "error",
    "raise_login_required": "error",
    "raise_no_formats": "error",
    "report_warning": "warning",
    "warning": "warning",
    "_report_pot_subtitles_skipped": "warning",
}
# Of the part that all extractors share, the messages that they have by default.
SHARED = {"raise_geo_restricted", "raise_login_required", "raise_no_formats", "report_drm"}
# These return their text with more or less around it.
PASSING = {"bug_reports_message", "clean_html", "join_nonempty", "remove_end", "_format_msg"}
MOST_WORDINGS = 12
MOST_CHARACTERS = 90
HOLE = "{}"


class Reader:
    def __init__(self, defaults):
        self.found = set()
        # What a call without a message says, by its name.
        self.defaults = defaults

    def read(self, path, functions=None):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        shared = assignments(tree, deep=False)
        for node in ast.walk(tree):
            if isinstance(node, ast.ClassDef):
                shared.update(assignments(node, deep=False))
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef) and (functions is None or node.name in functions):
                self.read_function(node, {**shared, **assignments(node, deep=True)})

    def read_function(self, function, names):
        defaults = function.args.defaults
        for argument, default in zip(function.args.args[len(function.args.args) - len(defaults) :], defaults):
            names.setdefault(argument.arg, []).append(default)
        for node in ast.walk(function):
            if isinstance(node, ast.Call):
                self.read_call(node, names)
            elif isinstance(node, ast.Assign) and "REASONS" in (name_of(node.targets[0]) or ""):
                for part in ast.walk(node.value):
                    if isinstance(part, ast.Constant):
                        self.add("compared", part.value)
            elif isinstance(node, ast.Compare) and isinstance(node.ops[0], ast.In):
                self.read_comparison(node.left, node.comparators[0])

    def read_call(self, call, names):
        name = name_of(call.func)
        if name == "startswith" and call.args:
            self.read_comparison(call.args[0], call.func.value)
        kind = CALLS.get(name)
        if kind is None:
            return
        messages = [word.value for word in call.keywords if word.arg == "msg"] or call.args[:1]
        for text in self.defaults.get(name, []) if not messages else []:
            self.add(kind, text)
        for message in messages:
            for text in itertools.islice(wordings(message, names), MOST_WORDINGS):
                self.add(kind, text)

    def read_comparison(self, part, whole):
        looks_at_reason = re.search(r"reason|\bmsg\b|str\(e\)", ast.unparse(whole))
        if looks_at_reason and isinstance(part, ast.Constant) and isinstance(part.value, str):
            self.add("compared", part.value)

    def add(self, kind, text):
        text = re.sub(r"\s+", " ", text).strip()
        # Texts without words are put together from others, which are found where they are made.
        if kind == "compared" or len(re.findall(r"[A-Za-z]{2,}", text.replace(HOLE, ""))) > 1:
            self.found.add((kind, text[:MOST_CHARACTERS].strip()))


def default_messages(path):
    """Messages that exceptions have unless they are given one, by the name of their class."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    found = {}
    for node in tree.body:
        for call in ast.walk(node) if isinstance(node, ast.ClassDef) and node.name in CALLS else []:
            if isinstance(call, ast.Call) and name_of(call.func) == "__init__":
                found[node.name] = list(itertools.chain.from_iterable(wordings(part, {}) for part in call.args[:1]))
    return found


def name_of(node):
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else None


def assignments(scope, deep):
    """What each name may have been set to: in the whole scope, or at its top only."""
    found = {}
    for node in ast.walk(scope) if deep else ast.iter_child_nodes(scope):
        if isinstance(node, ast.Assign):
            for target in node.targets:
                found.setdefault(name_of(target), []).append(node.value)
        elif isinstance(node, ast.AugAssign | ast.NamedExpr):
            found.setdefault(name_of(node.target), []).append(node.value)
    found.pop(None, None)
    return found


def wordings(node, names, depth=0):
    """All texts that an expression may have; {} for what is not known before it runs."""
    if depth > 6:
        return [HOLE]
    read = lambda part: wordings(part, names, depth + 1)  # noqa: E731
    match node:
        case ast.Constant(value=str(text)):
            return [text]
        case ast.JoinedStr(values=parts):
            return combine([read(part) for part in parts])
        case ast.FormattedValue(value=value):
            # What is put in is mostly a name or a number; a text stands there as itself.
            return read(value) if isinstance(value, ast.IfExp | ast.Constant) else [HOLE]
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            return combine([read(left), read(right)])
        case ast.IfExp(body=body, orelse=orelse):
            return [*read(body), *read(orelse)]
        case ast.BoolOp(op=ast.Or(), values=values):
            return list(itertools.chain.from_iterable(map(read, values)))
        case ast.BoolOp(op=ast.And(), values=values):
            return read(values[-1])
        case ast.Call(func=ast.Attribute(value=template, attr="format")):
            return [re.sub(r"\{[^{}]*\}", HOLE, text) for text in read(template)]
        case ast.Call(func=func, args=args) if name_of(func) in PASSING:
            separator = next((word.value.value for word in node.keywords if word.arg == "delim"), "")
            parts = [read(part) for part in (args if name_of(func) == "join_nonempty" else args[:1])]
            return combine(parts, separator) if parts else [HOLE]
        case ast.Name() | ast.Attribute():
            # Without the name itself, which may be set to a text that has what it was before in it.
            others = {name: values for name, values in names.items() if name != name_of(node)}
            known = names.get(name_of(node), [])
            texts = list(itertools.chain.from_iterable(wordings(value, others, depth + 1) for value in known))
            return [text for text in texts if text != HOLE] or [HOLE]
    return [HOLE]


def combine(parts, separator=""):
    texts = (separator.join(choice) for choice in itertools.product(*parts))
    return list(itertools.islice(texts, MOST_WORDINGS))


def main():
    package = Path(sys.argv[1]) / "yt_dlp" if len(sys.argv) > 1 else Path(find_spec("yt_dlp").origin).parent
    extractors = package / "extractor"
    reader = Reader(default_messages(package / "utils" / "_utils.py"))
    reader.read(extractors / "common.py", SHARED)
    for path in sorted((extractors / "youtube").rglob("*.py")):
        reader.read(path)
    print(json.dumps(sorted(reader.found), ensure_ascii=False))


if __name__ == "__main__":
    main()
