"""Keeps yt-dlp loaded, so that a job pays for its own extraction and not for Python's and yt-dlp's start.

Reads one request a line: {"id", "argv", "folder", "env"}. Each is run in a child process of its own, forked
from this one: what a job does to its memory, its settings or itself ends with the job. The child's output
goes to the files out and err in its folder. Answers {"id", "pid"} when it has begun and {"id", "exitCode"}
when it has ended; whoever asked may end the child's process group before. Ends when its input does.
"""

import ctypes
import gc
import json
import os
import select
import signal
import sys

PR_SET_PDEATHSIG = 1


def load():
    # An installation in one file, or in the environment of this interpreter.
    if len(sys.argv) > 1 and sys.argv[1]:
        sys.path.insert(0, sys.argv[1])
    import yt_dlp
    from yt_dlp import extractor

    extractor.import_extractors()
    # Only once something is fetched would these be loaded otherwise.
    import yt_dlp.networking._urllib  # noqa: F401
    from yt_dlp.extractor import generic, youtube  # noqa: F401

    # The patterns of all sites, which are made when they are first asked, once here and not in every child: 15 ms of each.
    for known in extractor.gen_extractor_classes():
        known.suitable("https://host.invalid/")
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
