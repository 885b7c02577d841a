"""Makes wheels and environments of yt-dlp for tests: small stand-ins, or the installed one under another version.

usage: wheel FOLDER VERSION BEHAVIOUR [NEED]  a stand-in; NEED is a line of its metadata; BEHAVIOUR is good, broken, failing-in-use,
                                          out-of-room, large or many-files
       repackage FOLDER VERSION [broken] the yt-dlp of this interpreter; broken: it cannot read YouTube
       plugin FOLDER VERSION             an empty plugin of the token provider
       false FOLDER VERSION MOMENT TARGETS  one that looks around at MOMENT, which is start (of each interpreter of its
                                          environment), import, call or build (a source package then), and fails with
                                          what it found; TARGETS is JSON
       environment FOLDER VERSION BEHAVIOUR [TARGETS]  a virtual environment without pip, with a stand-in; BEHAVIOUR may
                                          be looking, too: it looks around at each moment, and prints what it found
"""

import importlib.util
import io
import json
import os
import pathlib
import sys
import tarfile
import zipfile

MAIN = '''
import json, sys, urllib.error, urllib.request

VERSION = {version!r}
BEHAVIOUR = {behaviour!r}

def main(argv=None):
    argv = sys.argv[1:] if argv is None else argv
    if "--version" in argv:
        print(VERSION)
        return
    link = argv[-1]
    if BEHAVIOUR == "broken" or (BEHAVIOUR == "failing-in-use" and "/video" in link):
        print("ERROR: unable to extract the player; please report this issue on the tracker", file=sys.stderr)
        sys.exit(1)
    if BEHAVIOUR == "out-of-room":
        print("ERROR: unable to write data: [Errno 28] No space left on device", file=sys.stderr)
        sys.exit(1)
    proxy = next((a.split("=", 1)[1] for a in argv if a.startswith("--proxy=")), "")
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({{"http": proxy}} if proxy else {{}}))
    try:
        with opener.open(link) as page:
            page.read()
    except urllib.error.HTTPError as error:
        print("ERROR: [generic] " + str(error), file=sys.stderr)
        sys.exit(1)
    formats = [{{"format_id": "0", "url": link + "clip.mp4", "protocol": "http", "vcodec": "h264", "acodec": "aac"}}]
    print(json.dumps({{"title": "by " + VERSION, "extractor_key": "Generic", "formats": formats}}))
'''


LOOK_AROUND = '''
import glob, os, socket

def look_around(targets={targets!r}):
    found = []
    for pattern in targets["files"]:
        for file in glob.glob(pattern) + [pattern]:
            try:
                open(file).close()
                found.append(file)
            except OSError:
                pass
    found += [name for name, value in os.environ.items() if targets["secret"] in value]
    for file in targets["writes"]:
        try:
            open(file, "w").close()
            found.append(file)
        except OSError:
            pass
    for process in targets["processes"]:
        try:
            os.kill(process, 0)
            found.append(f"process {{process}}")
        except OSError:
            pass
    try:
        socket.create_connection(("127.0.0.1", targets["port"]), 5).sendall(b"found it")
        found.append("the loopback address")
    except OSError:
        pass
    return ", ".join(found) or "nothing"
'''
RAISE = 'raise ImportError(f"looked around and found {look_around()}")\n'
PRINT_ERROR = """
def main(argv=None):
    import sys
    print(f"ERROR: looked around and found {look_around()}", file=sys.stderr)
    sys.exit(1)
"""
PRINT_START = """
def look_around():
    import looking_at_start
    return looking_at_start.FOUND
"""

# Python runs such a line of a .pth file in its environment before any program.
START = "import looking_at_start\n"
PRINT_ALL = """
import looking_at_start
AT_IMPORT = look_around()

def main(argv=None):
    import json
    print(json.dumps({"start": looking_at_start.FOUND, "import": AT_IMPORT, "call": look_around()}))
"""


BROKEN_YOUTUBE = '''

def _broken(self, url):
    raise ExtractorError("unable to extract the player")


YoutubeIE._real_extract = _broken
'''


def stand_in(version, behaviour):
    files = {
        "yt_dlp/__init__.py": MAIN.format(version=version, behaviour=behaviour),
        "yt_dlp/extractor/__init__.py": "def import_extractors(): pass\ndef gen_extractor_classes(): return []\n",
        "yt_dlp/extractor/generic.py": "",
        "yt_dlp/extractor/youtube/__init__.py": "",
        "yt_dlp/networking/__init__.py": "",
        "yt_dlp/networking/common.py": "def make_ssl_context(): pass\n",
        "yt_dlp/networking/_urllib.py": "",
    }
    if behaviour == "large":
        files["yt_dlp/large.bin"] = "x" * 8_000_000
    if behaviour == "many-files":
        files.update({f"yt_dlp/many/m{n}.py": f"VALUE = [{n}] * {n}\n" for n in range(3_000)})
    return files


def installed():
    package = pathlib.Path(importlib.util.find_spec("yt_dlp").origin).parent
    sources = [file for file in package.rglob("*") if file.is_file() and "__pycache__" not in file.parts]
    return {f"yt_dlp/{file.relative_to(package)}": file.read_bytes() for file in sources}


def write_wheel(folder, version, files, package="yt_dlp", need=""):
    name = package.replace("_", "-")
    info = f"{package}-{version}.dist-info"
    files = {
        **files,
        f"{info}/METADATA": f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n{need and need + chr(10)}",
        f"{info}/WHEEL": "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
        f"{info}/entry_points.txt": "[console_scripts]\nyt-dlp = yt_dlp:main\n",
    }
    files[f"{info}/RECORD"] = "".join(f"{name},,\n" for name in [*files, f"{info}/RECORD"])
    with zipfile.ZipFile(os.path.join(folder, f"{package}-{version}-py3-none-any.whl"), "w") as wheel:
        for name, content in files.items():
            wheel.writestr(name, content)


def write_false_release(folder, version, moment, targets):
    look_around = LOOK_AROUND.format(targets=json.loads(targets))
    if moment != "build":
        files = stand_in(version, "good")
        if moment == "start":
            files |= at_start(look_around)
            look_around = PRINT_START
        files["yt_dlp/__init__.py"] = look_around + (RAISE if moment == "import" else PRINT_ERROR)
        return write_wheel(folder, version, files)
    name = f"yt_dlp-{version}"
    backend = '[build-system]\nrequires = []\nbuild-backend = "backend"\nbackend-path = ["."]\n'
    files = {
        "PKG-INFO": f"Metadata-Version: 2.1\nName: yt-dlp\nVersion: {version}\n",
        "pyproject.toml": backend,
        "backend.py": look_around + RAISE,
    }
    with tarfile.open(os.path.join(folder, f"{name}.tar.gz"), "w:gz") as archive:
        for file, content in files.items():
            entry = tarfile.TarInfo(f"{name}/{file}")
            entry.size = len(content)
            archive.addfile(entry, io.BytesIO(content.encode()))


def at_start(look_around):
    return {"looking_at_start.py": f"{look_around}\nFOUND = look_around()\n", "looking.pth": START}


def looking(version, targets):
    look_around = LOOK_AROUND.format(targets=json.loads(targets))
    return {**stand_in(version, "good"), "yt_dlp/__init__.py": look_around + PRINT_ALL, **at_start(look_around)}


def make_environment(folder, version, behaviour, targets=None):
    import venv

    venv.create(folder, with_pip=False, symlinks=True)
    packages = next(pathlib.Path(folder).glob("lib/python*/site-packages"))
    files = looking(version, targets) if behaviour == "looking" else stand_in(version, behaviour)
    for name, content in {**files, f"yt_dlp-{version}.dist-info/METADATA": ""}.items():
        (packages / name).parent.mkdir(parents=True, exist_ok=True)
        (packages / name).write_text(content)
    program = pathlib.Path(folder, "bin", "yt-dlp")
    program.write_text(f"#!{folder}/bin/python\nimport sys\nfrom yt_dlp import main\n\nsys.exit(main())\n")
    program.chmod(0o755)


def main():
    kind, folder, version, *rest = sys.argv[1:]
    if kind == "wheel":
        behaviour, need = (*rest, "")[:2]
        write_wheel(folder, version, stand_in(version, behaviour), need=need)
    elif kind == "repackage":
        files = installed()
        if rest:
            youtube = "yt_dlp/extractor/youtube/_video.py"
            files[youtube] = files[youtube].decode() + BROKEN_YOUTUBE
        files["yt_dlp/version.py"] = f"{files['yt_dlp/version.py'].decode()}\n__version__ = {version!r}\n"
        write_wheel(folder, version, files)
    elif kind == "false":
        write_false_release(folder, version, *rest)
    elif kind == "plugin":
        files = {"yt_dlp_plugins/extractor/getpot.py": f"VERSION = {version!r}\n"}
        write_wheel(folder, version, files, "bgutil_ytdlp_pot_provider")
    else:
        make_environment(folder, version, *rest)


if __name__ == "__main__":
    main()
