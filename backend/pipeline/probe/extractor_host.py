"""Keeps yt-dlp loaded, so that a job pays for its own extraction and not for Python's and yt-dlp's start.

Reads one request a line: {"id", "argv", "folder", "env"}. Each is run in a child process of its own, forked
from this one: what a job does to its memory, its settings or itself ends with the job. The child's output
goes to the files out and err in its folder. Answers {"id", "pid"} when it has begun and {"id", "exitCode"}
when it has ended; whoever asked may end the child's process group before. Ends when its input does.
"""

import contextlib
import ctypes
import functools
import gc
import http.server
import json
import os
import platform
import select
import signal
import sys
import threading

PR_SET_PDEATHSIG = 1

LIST = "#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXTINF:4,\na.ts\n#EXT-X-ENDLIST\n"
# What most pages come to: a description of the video that names a playlist, a manifest or a file.
PAGES = {
    "playlist.html": """<html><head><title>A</title><script type="application/ld+json">{"@context": "https://schema.org",
        "@type": "VideoObject", "name": "A", "description": "A", "duration": "PT1M", "thumbnailUrl": "a.jpg",
        "uploadDate": "2020-01-01", "contentUrl": "BASE/a.m3u8"}</script></head></html>""",
    "manifest.html": '<html><head><title>A</title></head><body><video poster="a.jpg"><source src="a.mpd"></video></body></html>',
    "a.m3u8": """#EXTM3U
#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="a",URI="b.m3u8"
#EXT-X-STREAM-INF:BANDWIDTH=500000,RESOLUTION=640x360,CODECS="avc1.4d401e,mp4a.40.2",FRAME-RATE=25,AUDIO="a"
c.m3u8
""",
    "b.m3u8": LIST,
    "c.m3u8": LIST,
    "a.mpd": """<MPD xmlns="urn:mpeg:dash:schema:mpd:2011" type="static" mediaPresentationDuration="PT1M0S"><Period>
        <AdaptationSet contentType="video"><SegmentTemplate timescale="1" duration="4" startNumber="1"
        initialization="i-$RepresentationID$.m4s" media="p-$RepresentationID$-$Number$.m4s"/><Representation id="0"
        mimeType="video/mp4" codecs="avc1.4d401e" bandwidth="500000" width="640" height="360" frameRate="25"/></AdaptationSet>
        <AdaptationSet contentType="audio" lang="en"><SegmentTemplate timescale="1" duration="4" startNumber="1"
        initialization="i-$RepresentationID$.m4s" media="p-$RepresentationID$-$Number$.m4s"/><Representation id="1"
        mimeType="audio/mp4" codecs="mp4a.40.2" bandwidth="128000" audioSamplingRate="48000"/></AdaptationSet></Period></MPD>""",
}


class OwnPages(http.server.BaseHTTPRequestHandler):
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


def rehearse(yt_dlp):
    """Reads pages of our own: what a first run makes and keeps, patterns above all, is made before there are children."""
    argv = ["--ignore-config", "--no-plugin-dirs", "--no-update", "--no-cache-dir", "--color=never", "--no-js-runtimes", "--proxy="]
    argv += ["--ffmpeg-location=/nonexistent", "--fixup=never", "--use-extractors=generic,html5", "--no-playlist"]
    argv += ["--flat-playlist", "--playlist-items=1:2", "--dump-single-json", "--"]
    with http.server.HTTPServer(("127.0.0.1", 0), OwnPages) as server, open(os.devnull, "w") as nowhere:
        serving = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        serving.start()
        try:
            for page in (name for name in PAGES if name.endswith(".html")):
                with contextlib.redirect_stdout(nowhere), contextlib.redirect_stderr(nowhere), contextlib.suppress(SystemExit):
                    yt_dlp.main([*argv, f"http://127.0.0.1:{server.server_port}/{page}"])
        finally:
            server.shutdown()
            # Children must find no thread but their own.
            serving.join()


def load():
    # An installation in one file, or in the environment of this interpreter.
    if len(sys.argv) > 1 and sys.argv[1]:
        sys.path.insert(0, sys.argv[1])
    import yt_dlp
    from yt_dlp import extractor
    from yt_dlp.networking import common as networking

    extractor.import_extractors()
    # Only once something is fetched would these be loaded otherwise.
    import yt_dlp.networking._urllib  # noqa: F401
    from yt_dlp.extractor import generic, youtube  # noqa: F401

    # The patterns of all sites, which are made when they are first asked, once here and not in every child: 15 ms of each.
    for known in extractor.gen_extractor_classes():
        known.suitable("https://host.invalid/")
    # Every run names the system it runs on, for which Python asks other programs: 10 ms of each child.
    platform.architecture = functools.cache(platform.architecture)
    # The certificates of all authorities, of which every run makes the same: 30 ms of each.
    with contextlib.suppress(AttributeError):  # of a later yt-dlp, which may have it elsewhere
        networking.make_ssl_context = functools.cache(networking.make_ssl_context)
    # What is left to be made once: 25 ms of each, which is all that is lost where a page of our own cannot be read.
    with contextlib.suppress(Exception):
        rehearse(yt_dlp)
    # Children share these pages until they write to them, which a collection does: 10 ms of each.
    gc.collect()
    gc.freeze()
    return yt_dlp


def run_child(yt_dlp, libc, host_pid, request):
    """Never returns."""
    code = 1
    try:
        os.setsid()
        libc.prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != host_pid:
            os._exit(1)
        for number in (signal.SIGCHLD, signal.SIGTERM, signal.SIGINT):
            signal.signal(number, signal.SIG_DFL)
        signal.set_wakeup_fd(-1)
        os.nice(request.get("niceness", 0))
        folder = request["folder"]
        os.chdir(folder)
        os.environ.clear()
        os.environ.update(request["env"])
        for number, name in ((1, "out"), (2, "err")):
            handle = os.open(os.path.join(folder, request["files"][name]), os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
            os.dup2(handle, number)
            os.close(handle)
        nothing = os.open(os.devnull, os.O_RDONLY)
        os.dup2(nothing, 0)
        sys.stdout = os.fdopen(1, "w", encoding="utf-8", closefd=False)
        sys.stderr = os.fdopen(2, "w", encoding="utf-8", closefd=False)
        try:
            yt_dlp.main(request["argv"])
            code = 0
        except SystemExit as ending:
            code = ending.code if isinstance(ending.code, int) else (0 if ending.code is None else 1)
        sys.stdout.flush()
        sys.stderr.flush()
    except BaseException as error:  # the exit code is all that is left to say
        try:
            os.write(2, f"ERROR: {error!r}\n".encode())
        except OSError:
            pass
    finally:
        os._exit(code)


def main():
    yt_dlp = load()
    libc = ctypes.CDLL(None, use_errno=True)
    host_pid = os.getpid()
    children = {}
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8", buffering=1)

    wake_read, wake_write = os.pipe()
    os.set_blocking(wake_read, False)
    os.set_blocking(wake_write, False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.set_wakeup_fd(wake_write, warn_on_full_buffer=False)

    def answer(**about):
        answers.write(json.dumps(about) + "\n")

    answer(ready=True)
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
                pid = os.fork()
                if pid == 0:
                    run_child(yt_dlp, libc, host_pid, request)
                children[pid] = request["id"]
                answer(id=request["id"], pid=pid)


if __name__ == "__main__":
    main()
