"""Keeps yt-dlp loaded, so that a call does not wait for Python and yt-dlp to start.

Reads one JSON request per line: {"id", "argv", "folder", "files", "env", "niceness", "maxCpuSeconds", "sandbox"}; the
last two may be absent. With "sandbox" there is "place": where this process sees the folder (host_sandbox.py adds it).
Each request runs in a child that is forked from this process, so a call that crashes or changes settings does not affect
others. The child writes its output to two files in its folder ("files": {"out", "err"}). With "sandbox" it runs in a
sandbox of its own: see call_sandbox.py.

Writes one JSON answer per line: {"ready": true, "clients"} when yt-dlp is loaded, {"id", "pid"} by a child that has
started, and {"id", "exitCode"} when it has ended. The client may kill the child's process group at any time. This
process ends when its standard input is closed.
"""

import contextlib
import ctypes
import email.utils
import functools
import gc
import http.server
import json
import os
import platform
import re
import resource
import select
import signal
import sys
import threading
import time
import urllib.parse

# This interpreter does not search the folder of its program. The folder may be read-only.
sys.dont_write_bytecode, writes_bytecode = True, sys.dont_write_bytecode
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import call_sandbox  # noqa: E402

sys.path.pop(0)
sys.dont_write_bytecode = writes_bytecode

PR_SET_PDEATHSIG = 1

# Environment variables of a call: the file in which it asks for player scripts, or the script that it prepares.
PLAYER_REQUESTS = "TAPEDECK_PLAYER_REQUESTS"
PREPARED_PLAYER = "TAPEDECK_PREPARED_PLAYER"
# A script that takes longer comes over a slow network; then the call fetches it by itself.
LONGEST_PREPARATION_SECONDS = 60
requested_players = set()
# Every player script has it. A page that the site sends in place of the script does not, and is not kept.
HAS_TIMESTAMP = re.compile(r"signatureTimestamp\s*:\s*\d{5}")

SEGMENT_LIST = "#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXTINF:4,\na.ts\n#EXT-X-ENDLIST\n"
# Pages like those of most sites: they describe a video and name a playlist or a manifest.
PAGES = {
    "playlist.html": """<html><head><title>A</title><script type="application/ld+json">
        {"@context": "https://schema.org", "@type": "VideoObject", "name": "A", "description": "A", "duration": "PT1M",
        "thumbnailUrl": "a.jpg", "uploadDate": "2020-01-01", "contentUrl": "BASE/a.m3u8"}</script></head></html>""",
    "manifest.html": """<html><head><title>A</title></head>
        <body><video poster="a.jpg"><source src="a.mpd"></video></body></html>""",
    "a.m3u8": """#EXTM3U
#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="a",URI="b.m3u8"
#EXT-X-STREAM-INF:BANDWIDTH=500000,RESOLUTION=640x360,CODECS="avc1.4d401e,mp4a.40.2",FRAME-RATE=25,AUDIO="a"
c.m3u8
""",
    "b.m3u8": SEGMENT_LIST,
    "c.m3u8": SEGMENT_LIST,
    "a.mpd": """<MPD xmlns="urn:mpeg:dash:schema:mpd:2011" type="static" mediaPresentationDuration="PT1M0S"><Period>
        <AdaptationSet contentType="video"><SegmentTemplate timescale="1" duration="4" startNumber="1"
        initialization="i-$RepresentationID$.m4s" media="p-$RepresentationID$-$Number$.m4s"/><Representation id="0"
        mimeType="video/mp4" codecs="avc1.4d401e" bandwidth="500000" width="640" height="360" frameRate="25"/>
        </AdaptationSet>
        <AdaptationSet contentType="audio" lang="en"><SegmentTemplate timescale="1" duration="4" startNumber="1"
        initialization="i-$RepresentationID$.m4s" media="p-$RepresentationID$-$Number$.m4s"/><Representation id="1"
        mimeType="audio/mp4" codecs="mp4a.40.2" bandwidth="128000" audioSamplingRate="48000"/>
        </AdaptationSet></Period></MPD>""",
}


class WarmUpPages(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        _, port = self.server.server_address
        body = PAGES.get(self.path[1:], "").replace("BASE", f"http://127.0.0.1:{port}").encode()
        self.send_response(200)
        self.send_header("content-type", "text/html" if self.path.endswith(".html") else "application/octet-stream")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


def warm_up(yt_dlp):
    """Extracts local pages, so that regular expressions and other caches are filled once and not in every child."""
    argv = ["--ignore-config", "--no-plugin-dirs", "--no-update", "--no-cache-dir", "--color=never"]
    argv += ["--no-js-runtimes", "--proxy=", "--ffmpeg-location=/nonexistent", "--fixup=never"]
    argv += ["--use-extractors=generic,html5", "--no-playlist", "--flat-playlist"]
    if "SSL_CERT_FILE" in os.environ:
        # As the calls do: yt-dlp loads other certificates with this option than without it.
        argv.append("--compat-options=no-certifi")
    argv += ["--playlist-items=1:2", "--dump-single-json", "--"]
    with http.server.HTTPServer(("127.0.0.1", 0), WarmUpPages) as server, open(os.devnull, "w") as devnull:
        serving = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        serving.start()
        try:
            for page in (name for name in PAGES if name.endswith(".html")):
                with contextlib.ExitStack() as stack:
                    stack.enter_context(contextlib.redirect_stdout(devnull))
                    stack.enter_context(contextlib.redirect_stderr(devnull))
                    stack.enter_context(contextlib.suppress(SystemExit))
                    yt_dlp.main([*argv, f"http://127.0.0.1:{server.server_port}/{page}"])
        finally:
            server.shutdown()
            # A process must have no second thread when it forks.
            serving.join()


def request_player(player_url):
    """Asks the server for a player script, and waits until it has answered. The answer may be that there is none."""
    path = os.environ.get(PLAYER_REQUESTS)
    if not path or player_url in requested_players:
        return
    requested_players.add(player_url)
    with open(f"{path}.draft", "w", encoding="utf-8") as file:
        file.write(player_url)
    os.rename(f"{path}.draft", path)
    give_up = time.monotonic() + LONGEST_PREPARATION_SECONDS
    # The server removes the request as its answer.
    while os.path.exists(path) and time.monotonic() < give_up:
        time.sleep(0.02)


def keep_player_scripts():
    """Reads YouTube's player scripts, and what the solver prepares of them, from the cache folder of a call.

    A call only reads this folder, because all later calls use what is in it. It asks the server for a script that is not
    there. The server lets another call fetch and prepare it, which gets no link and whose cache folder is its own (see
    "prepare_player"), once for all calls. Saves 1.2 CPU seconds and the script's megabyte for each video that needs a
    script. This changes parts inside yt-dlp.
    """
    from yt_dlp.cache import Cache
    from yt_dlp.extractor.youtube import YoutubeIE
    from yt_dlp.extractor.youtube.jsc._builtin import ejs

    fetch_script, solve, store = YoutubeIE._load_player, ejs.EJSBaseJCP._real_bulk_solve, Cache.store

    def load_script(self, video_id, player_url, fatal=True):
        key = self._player_js_cache_key(player_url)
        if key not in self._code_cache:
            script = self.cache.load("youtube-script", key)
            if not script:
                request_player(player_url)
                script = self.cache.load("youtube-script", key)
            if script:
                self._code_cache[key] = script
            elif (script := fetch_script(self, video_id, player_url, fatal=fatal)) and HAS_TIMESTAMP.search(script):
                self.cache.store("youtube-script", key, script)
        return self._code_cache.get(key)

    def solve_prepared(self, requests):
        section, cache = self._CACHE_SECTION, self.ie.cache
        for player_url in {request.input.player_url for request in requests}:
            if cache.enabled and not os.path.exists(cache._get_cache_fn(section, f"player:{player_url}", "json")):
                request_player(player_url)
        yield from solve(self, requests)

    def store_when_preparing(self, *args, **named):
        if PREPARED_PLAYER in os.environ:
            store(self, *args, **named)

    YoutubeIE._load_player = load_script
    ejs.EJSBaseJCP._real_bulk_solve = solve_prepared
    ejs.EJSBaseJCP._ENABLE_PREPROCESSED_PLAYER_CACHE = True
    Cache.store = store_when_preparing


def prepare_player(player_url):
    """Lets this process fetch and prepare a player script, and do nothing else, for whatever link it is called with."""
    from yt_dlp.extractor.youtube import YoutubeIE
    from yt_dlp.extractor.youtube.jsc.provider import JsChallengeRequest, JsChallengeType, NChallengeInput

    def prepare(self, url):
        # The preparation does not depend on the challenge.
        challenge = NChallengeInput(player_url=player_url, challenges=["preparation"])
        self._jsc_director.bulk_solve([JsChallengeRequest(JsChallengeType.N, challenge)])
        raise SystemExit(0)

    YoutubeIE._real_extract = prepare


def leave_out_playlists():
    """Does not read YouTube's HLS playlist where the media files have addresses: saves a request for each video."""
    from yt_dlp.extractor.youtube import YoutubeIE

    list_formats = YoutubeIE._extract_formats_and_subtitles

    def list_files(self, video_id, player_responses, *more, **named):
        for response in player_responses:
            media = response.get("streamingData") or {}
            has_files = any("url" in offered for offered in media.get("adaptiveFormats") or [])
            if has_files and not (response.get("videoDetails") or {}).get("isLive"):
                media.pop("hlsManifestUrl", None)
        return list_formats(self, video_id, player_responses, *more, **named)

    YoutubeIE._extract_formats_and_subtitles = list_files


def tell_kinds_of_refusals():
    """Writes what kind of refusal it is before yt-dlp's error: the words are the site's own, in its language."""
    from yt_dlp import YoutubeDL
    from yt_dlp.networking.exceptions import network_exceptions
    from yt_dlp.utils import ExtractorError, GeoRestrictedError, UserNotLive

    report_error, raise_no_formats = YoutubeDL.report_error, YoutubeDL.raise_no_formats

    def report_kind(self, *args, **named):
        error = sys.exc_info()[1]
        if isinstance(error, GeoRestrictedError):
            self.to_stderr("REFUSAL: country")
        elif isinstance(error, UserNotLive):
            self.to_stderr("REFUSAL: not live")
        elif isinstance(error, ExtractorError) and isinstance(error.cause, network_exceptions):
            self.to_stderr("REFUSAL: network")
        elif isinstance(error, ExtractorError) and error.expected:
            self.to_stderr("REFUSAL: expected")
        return report_error(self, *args, **named)

    def tell_upcoming(self, info, *args, **named):
        # Before it begins there are no forms, and yt-dlp says no more than that.
        if info.get("live_status") == "is_upcoming":
            self.to_stderr(f"REFUSAL: upcoming {int(info.get('release_timestamp') or 0)}")
        return raise_no_formats(self, info, *args, **named)

    YoutubeDL.report_error = report_kind
    YoutubeDL.raise_no_formats = tell_upcoming


def take_stated_names():
    """Calls a file what its server calls it (RFC 6266). yt-dlp knows the end of the address only: "download"."""
    from yt_dlp.extractor.generic import GenericIE

    request, extract = GenericIE._request_webpage, GenericIE._real_extract

    def request_and_note(self, *args, **named):
        answer = request(self, *args, **named)
        # Servers write what they like, and Python's parser fails for some of it.
        with contextlib.suppress(Exception):
            self._stated_name = stated_name(answer.headers)
        return answer

    def extract_named(self, url):
        self._stated_name = ""
        info = extract(self, url)
        if info.get("direct") and self._stated_name:
            info["title"] = self._stated_name
        return info

    GenericIE._request_webpage = request_and_note
    GenericIE._real_extract = extract_named


def stated_name(headers):
    """Returns the name of a file without its ending; empty where the server states none."""
    names = [value for name, value in headers.get_params((), "Content-Disposition") if name.lower() == "filename"]
    if not names:
        return ""
    # The one in the extended form, which is a tuple, comes last.
    name = email.utils.collapse_rfc2231_value(names[-1])
    if isinstance(names[-1], str):
        # Servers that do not know the extended form write bytes of UTF-8, or escape them.
        with contextlib.suppress(UnicodeError):
            name = name.encode("latin-1").decode()
        name = urllib.parse.unquote(name)
    return re.sub(r"\.(?=\w*[a-z])[a-z\d]{2,4}$", "", name.strip(), flags=re.IGNORECASE)


def load():
    # A further certificate authority, which the calls name too: their certificates are loaded here, once.
    if len(sys.argv) > 2 and sys.argv[2]:
        os.environ["SSL_CERT_FILE"] = sys.argv[2]
    # A yt-dlp in one file is imported from that file, otherwise from the packages of this interpreter.
    if len(sys.argv) > 1 and sys.argv[1]:
        sys.path.insert(0, sys.argv[1])
    import yt_dlp
    from yt_dlp import extractor
    from yt_dlp.networking import common as networking

    extractor.import_extractors()
    # yt-dlp would load these modules only at the first request.
    import yt_dlp.networking._urllib  # noqa: F401
    from yt_dlp.extractor import generic, youtube  # noqa: F401

    # Compiles the URL patterns of all sites; saves 15 ms in each child.
    for site in extractor.gen_extractor_classes():
        site.suitable("https://host.invalid/")
    # Python runs other programs to find the system's name; saves 10 ms in each child.
    platform.architecture = functools.cache(platform.architecture)
    # Every run loads the same certificates; saves 30 ms in each child.
    with contextlib.suppress(AttributeError):  # a later yt-dlp may have moved the function
        networking.make_ssl_context = functools.cache(networking.make_ssl_context)
    # In another version of yt-dlp these parts may be different; calls are then only slower, and refusals and titles of
    # files less exact.
    for improve in (keep_player_scripts, leave_out_playlists, tell_kinds_of_refusals, take_stated_names):
        with contextlib.suppress(ImportError, AttributeError):
            improve()
    # Saves 25 ms in each child. When it fails, calls are only slower.
    with contextlib.suppress(Exception):
        warm_up(yt_dlp)
    # A garbage collection in a child would copy the memory that it shares with this process; saves 10 ms in each child.
    gc.collect()
    gc.freeze()
    return yt_dlp


def youtube_clients():
    """Names YouTube's player clients: all of this yt-dlp, and those that it uses with and without a script runtime."""
    try:
        from yt_dlp.extractor.youtube import YoutubeIE
        from yt_dlp.extractor.youtube._base import INNERTUBE_CLIENTS

        return {
            "names": [name for name in INNERTUBE_CLIENTS if not name.startswith("_")],
            "defaults": list(YoutubeIE._DEFAULT_CLIENTS),
            "defaultsWithoutScripts": list(YoutubeIE._DEFAULT_JSLESS_CLIENTS),
        }
    except Exception:  # a later yt-dlp may have moved them, or be broken; its trial tells that
        return None


def open_output(request, name, folder="."):
    """Makes a file in the folder of a call, where another tool may have left a link: it must not be there yet."""
    path = os.path.join(folder, request["files"][name])
    return os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600)


def write_error(request, error):
    """Reports why there is no child for a request."""
    handle = open_output(request, "err", request.get("place", request["folder"]))
    with os.fdopen(handle, "w", encoding="utf-8") as errors:
        errors.write(f"ERROR: {error}\n")


def fork(request):
    return call_sandbox.fork_into_namespaces(call_sandbox.OF_CALL) if request.get("sandbox") else os.fork()


def run_child(yt_dlp, libc, host_pid, request, answer):
    """Runs one request in the forked child, and exits."""
    code = 1
    try:
        sandbox = request.get("sandbox")
        os.setsid()
        libc.prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
        # The parent of a process in a namespace of its own is not shown to it.
        if not sandbox and os.getppid() != host_pid:
            os._exit(1)
        for number in (signal.SIGCHLD, signal.SIGTERM, signal.SIGINT):
            signal.signal(number, signal.SIG_DFL)
        signal.set_wakeup_fd(-1)
        os.nice(request.get("niceness", 0))
        if "maxCpuSeconds" in request:
            # The programs that yt-dlp starts inherit the limit, and each counts its own time.
            resource.setrlimit(resource.RLIMIT_CPU, (request["maxCpuSeconds"], request["maxCpuSeconds"] + 1))
        # After setsid: the answer says that there is a group of this number.
        answer(id=request["id"], pid=os.getpid())
        os.chdir(request.get("place", request["folder"]))
        os.environ.clear()
        os.environ.update(request["env"])
        # Requests and answers of other calls go through the host's pipes.
        nothing = os.open(os.devnull, os.O_RDWR)
        for descriptor in (0, 1, 2):
            os.dup2(nothing, descriptor)
        os.closerange(3, resource.getrlimit(resource.RLIMIT_NOFILE)[1])
        if sandbox:
            call_sandbox.enter(sandbox, request["folder"])
        # In the sandbox, where a link leads nowhere.
        for descriptor, name in ((2, "err"), (1, "out")):
            handle = open_output(request, name)
            os.dup2(handle, descriptor)
            os.close(handle)
        sys.stdout = os.fdopen(1, "w", encoding="utf-8", closefd=False)
        sys.stderr = os.fdopen(2, "w", encoding="utf-8", closefd=False)
        if PREPARED_PLAYER in os.environ:
            prepare_player(os.environ[PREPARED_PLAYER])
        try:
            yt_dlp.main(request["argv"])
            code = 0
        except SystemExit as ending:
            code = ending.code if isinstance(ending.code, int) else (0 if ending.code is None else 1)
        sys.stdout.flush()
        sys.stderr.flush()
    except BaseException as error:  # reported on standard error and by the exit code
        with contextlib.suppress(OSError):
            # Is there already, except when there is no sandbox.
            os.dup2(open_output(request, "err"), 2)
        with contextlib.suppress(OSError):
            os.write(2, f"ERROR: {error!r}\n".encode())
    finally:
        os._exit(code)


def main():
    yt_dlp = load()
    libc = ctypes.CDLL(None, use_errno=True)
    host_pid = os.getpid()
    children = {}
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8", buffering=1)

    # The signal of a child's end writes a byte to this pipe, which wakes select.
    wake_read, wake_write = os.pipe()
    os.set_blocking(wake_read, False)
    os.set_blocking(wake_write, False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.set_wakeup_fd(wake_write, warn_on_full_buffer=False)

    def answer(**fields):
        answers.write(json.dumps(fields) + "\n")

    answer(ready=True, clients=youtube_clients())
    pending = b""
    while True:
        ready, _, _ = select.select([0, wake_read], [], [])
        if wake_read in ready:
            os.read(wake_read, 4096)
            while children:
                pid, status = os.waitpid(-1, os.WNOHANG)
                if pid == 0:
                    break
                answer(id=children.pop(pid), exitCode=os.waitstatus_to_exitcode(status))
        if 0 in ready:
            data = os.read(0, 65536)
            if not data:
                return
            *lines, pending = (pending + data).split(b"\n")
            for line in lines:
                request = json.loads(line)
                try:
                    pid = fork(request)
                except OSError as error:
                    # Such as too many processes. Other calls go on.
                    write_error(request, error)
                    answer(id=request["id"], exitCode=1)
                    continue
                if pid == 0:
                    run_child(yt_dlp, libc, host_pid, request, answer)
                children[pid] = request["id"]


if __name__ == "__main__":
    main()
