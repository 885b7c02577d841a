"""The sandbox of the extractor host.

yt-dlp is foreign code, and the host runs it from its import on. So this program, which imports nothing of yt-dlp, stays
outside, and starts the host in a child with namespaces of its own and a view of the system's files and yt-dlp, without
a /proc. What a call may use besides is mounted below CALLS when it begins, where the host sees it too, and taken away
when it has ended.

    python -I -S host_sandbox.py MOUNTS ARGUMENTS...

MOUNTS is JSON: what the host sees. Without -S, Python would run code that lies beside yt-dlp before this program. The
arguments, requests and answers are those of extractor_host.py. The host is not believed which process makes a call: the
kernel says it.
"""

import json
import os
import select
import signal
import socket
import struct
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import call_sandbox  # noqa: E402
import extractor_host  # noqa: E402
from call_sandbox import (  # noqa: E402
    MNT_DETACH,
    MS_BIND,
    MS_NODEV,
    MS_NOSUID,
    MS_RDONLY,
    MS_REC,
    MS_REMOUNT,
    check,
    libc,
    mount,
)

sys.path.pop(0)

MS_SLAVE = 1 << 19
MS_SHARED = 1 << 20
CAP_NET_ADMIN = 12
CAP_SYS_ADMIN = 21
# User and group of this program and, in its own namespace, of the host: inside, outside, count.
OWN_ID = "65534 65534 1"
# pid, uid and gid, which the kernel adds to each message (unix(7)).
CREDENTIALS = struct.Struct("3i")
LONGEST_ANSWER = 4096
# Where the host sees what its calls brought.
CALLS = "/calls"
# A folder that exists everywhere, and that this program does not need.
STAGE = "/sys"
MADE = f"{STAGE}/made"
SHOWN = f"{STAGE}/shown"


def set_stage():
    """Makes two views of one folder: this program writes to the first, and the host sees mounts on the second."""
    flags = MS_NOSUID | MS_NODEV
    mount("tmpfs", STAGE, "tmpfs", flags)
    for folder in (MADE, SHOWN):
        os.mkdir(folder)
    mount("tmpfs", MADE, "tmpfs", flags)
    mount(MADE, SHOWN, None, MS_BIND)
    mount(None, SHOWN, None, MS_REMOUNT | MS_BIND | MS_RDONLY | flags)
    mount(None, SHOWN, None, MS_SHARED)


def run_host(mounts, arguments, requests, answers):
    """Enters the sandbox in a child of "fork_into_namespaces", and becomes the host."""
    libc.prctl(extractor_host.PR_SET_PDEATHSIG, signal.SIGKILL)
    for name, text in (("setgroups", "deny"), ("uid_map", OWN_ID), ("gid_map", OWN_ID)):
        with open(f"/proc/self/{name}", "w", encoding="ascii") as settings:
            settings.write(text)
    os.dup2(requests, 0)
    os.dup2(answers, 1)
    os.closerange(3, os.sysconf("SC_OPEN_MAX"))
    calls = {"kind": "readable", "path": CALLS, "source": SHOWN}
    root_of_calls = {"kind": "folder", "path": call_sandbox.NEW_ROOT}
    call_sandbox.change_root([*mounts, calls, root_of_calls], MS_SLAVE)
    # Calls make namespaces, and start the loopback address of theirs.
    call_sandbox.drop_rights(1 << CAP_SYS_ADMIN | 1 << CAP_NET_ADMIN)
    sys.argv[1:] = arguments
    # What -S has left out: the packages of this interpreter's environment.
    import site

    site.main()
    extractor_host.main()


class Calls:
    """What runs, and the names of what each call brought."""

    def __init__(self, mounts):
        # Not single files: one that was replaced since, such as the linker's list at each installation of a package,
        # would be gone for the host, and a file that is gone cannot be mounted.
        self.seen_by_host = {
            item["path"] for item in mounts if item["kind"] != "readable" or os.path.isdir(item["source"])
        }
        self.brought = {}

    def begin(self, request):
        """Mounts what the host does not see. @returns the request for the host"""
        number, order = request["id"], request["sandbox"]
        self.brought[number] = []
        os.mkdir(f"{MADE}/{number}")
        mounts = [self.bring(number, item) for item in order["mounts"]]
        place = next(item["source"] for item in mounts if item["path"] == request["folder"])
        return {**request, "place": place, "sandbox": {**order, "mounts": mounts}}

    def bring(self, number, item):
        if item["kind"] == "link" or item["path"] in self.seen_by_host:
            return item
        brought = self.brought[number]
        name = f"{number}/{len(brought)}"
        # The host does not see it before it is read-only.
        call_sandbox.show({**item, "path": f"/{name}"}, MADE)
        mount(f"{MADE}/{name}", f"{SHOWN}/{name}", None, MS_BIND | MS_REC)
        brought.append(name)
        take_away(f"{MADE}/{name}")
        return {**item, "source": f"{CALLS}/{name}"}

    def end(self, number):
        for name in self.brought.pop(number):
            take_away(f"{SHOWN}/{name}")
        # Empty: only mounted files and folders had contents. What is still mounted is not removed.
        for entry in list(os.scandir(f"{MADE}/{number}")):
            (os.rmdir if entry.is_dir(follow_symlinks=False) else os.unlink)(entry.path)
        os.rmdir(f"{MADE}/{number}")


def take_away(path):
    check(libc.umount2(path.encode(), MNT_DETACH), f"umount {path}")


class Keeper:
    """Hands requests to the host, and its answers back."""

    def __init__(self, mounts, requests, answers):
        self.calls = Calls(mounts)
        self.requests = requests
        self.answers = answers

    def say(self, **fields):
        os.write(1, f"{json.dumps(fields)}\n".encode())

    def hand_on(self, request):
        try:
            ready = self.calls.begin(request)
        except OSError as error:
            self.calls.end(request["id"])
            extractor_host.write_error(request, error)
            self.say(id=request["id"], exitCode=1)
            return
        self.requests.write(f"{json.dumps(ready)}\n".encode())

    def hand_back(self):
        """@returns False when the host has ended"""
        message, control, _, _ = self.answers.recvmsg(LONGEST_ANSWER, socket.CMSG_SPACE(CREDENTIALS.size))
        if not message:
            return False
        answer = json.loads(message)
        if "ready" in answer:
            self.say(ready=True, clients=answer.get("clients"))
        elif "exitCode" in answer:
            self.calls.end(answer["id"])
            self.say(id=answer["id"], exitCode=answer["exitCode"])
        else:
            [(_, _, sender)] = control
            self.say(id=answer["id"], pid=CREDENTIALS.unpack(sender)[0])
        return True

    def serve(self):
        pending = b""
        while True:
            readable, _, _ = select.select([0, self.answers], [], [])
            if self.answers in readable and not self.hand_back():
                return
            if 0 in readable:
                data = os.read(0, 65536)
                if not data:
                    return
                *lines, pending = (pending + data).split(b"\n")
                for line in lines:
                    self.hand_on(json.loads(line))


def main():
    _, text, *arguments = sys.argv
    mounts = json.loads(text)
    set_stage()
    answers, of_host = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    answers.setsockopt(socket.SOL_SOCKET, socket.SO_PASSCRED, 1)
    read_requests, write_requests = os.pipe()
    if call_sandbox.fork_into_namespaces(call_sandbox.OF_HOST) == 0:
        run_host(mounts, arguments, read_requests, of_host.fileno())
        os._exit(0)
    of_host.close()
    os.close(read_requests)
    with os.fdopen(write_requests, "wb", buffering=0) as requests:
        Keeper(mounts, requests, answers).serve()


if __name__ == "__main__":
    main()
