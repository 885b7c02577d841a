"""The sandbox of one call of yt-dlp.

A child of the extractor host makes its own: namespaces, a view of the files, limits and a filter of system calls (see
"enter"). A yt-dlp that starts by itself is in bubblewrap's; this file then starts it as a program:

    python -I call_sandbox.py ORDER yt-dlp ARGUMENTS...

ORDER is JSON. Both kinds reach the network by given ways only, mostly one to the egress guard: a thread listens on the
loopback address of the empty network and forwards to a Unix socket. Programs that yt-dlp starts may not open network sockets.
"""

import base64
import contextlib
import ctypes
import fcntl
import json
import os
import resource
import runpy
import signal
import socket
import struct
import subprocess
import sys
import threading

CLONE_NEWNS = 0x00020000
CLONE_NEWUTS = 0x04000000
CLONE_NEWIPC = 0x08000000
CLONE_NEWUSER = 0x10000000
CLONE_NEWPID = 0x20000000
CLONE_NEWNET = 0x40000000
# Namespaces of a call, and of the host.
OF_CALL = CLONE_NEWNS | CLONE_NEWUTS | CLONE_NEWIPC | CLONE_NEWPID | CLONE_NEWNET
OF_HOST = CLONE_NEWNS | CLONE_NEWUTS | CLONE_NEWIPC | CLONE_NEWPID | CLONE_NEWUSER
MS_RDONLY = 1
MS_NOSUID = 2
MS_NODEV = 4
MS_REMOUNT = 32
MS_BIND = 4096
MS_REC = 16384
MS_PRIVATE = 1 << 18
MNT_DETACH = 2
# Flags of statvfs that have the same value, or another one, for mount.
KEPT_FLAGS = {2: 2, 4: 4, 8: 8, 1024: 1024, 2048: 2048, 4096: 1 << 21}
PR_SET_SECCOMP = 22
PR_SET_NO_NEW_PRIVS = 38
PR_CAP_AMBIENT = 47
PR_CAP_AMBIENT_CLEAR_ALL = 4
SECCOMP_MODE_FILTER = 2
CAPABILITY_VERSION = 0x20080522
SIOCSIFFLAGS = 0x8914
IFF_UP = 1
CLONE = {"x86_64": 56, "aarch64": 220}
PIVOT_ROOT = {"x86_64": 155, "aarch64": 41}
# A folder that exists everywhere and holds nothing that a call needs; the view is built there.
NEW_ROOT = "/proc"
COPY_BYTES = 65536

libc = ctypes.CDLL(None, use_errno=True)
# Keeps the interpreter's lock, so that the child of a fork has it.
interpreter_libc = ctypes.PyDLL(None, use_errno=True)


class Filter(ctypes.Structure):
    _fields_ = [("length", ctypes.c_ushort), ("program", ctypes.c_char_p)]


def check(result, what):
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, f"the sandbox cannot be made: {what}: {os.strerror(number)}")


def mount(source, target, kind, flags):
    encoded = [text and text.encode() for text in (source, target, kind)]
    check(libc.mount(*encoded, ctypes.c_ulong(flags), None), f"mount {target}")


def read_filter(text):
    program = base64.b64decode(text)
    return Filter(len(program) // 8, program)


def apply_filter(bpf):
    check(libc.prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, ctypes.byref(bpf)), "seccomp")


def show(item, root):
    """Shows one path in the new view."""
    target = root + item["path"]
    os.makedirs(os.path.dirname(target), mode=0o755, exist_ok=True)
    if item["kind"] == "link":
        os.symlink(item["target"], target)
        return
    if item["kind"] == "folder":
        os.makedirs(target, mode=0o755, exist_ok=True)
        return
    source = os.path.realpath(item["source"])
    if os.path.isdir(source):
        os.makedirs(target, mode=0o755, exist_ok=True)
    elif not os.path.exists(target):
        os.close(os.open(target, os.O_CREAT | os.O_WRONLY, 0o600))
    mount(source, target, None, MS_BIND | MS_REC)
    flags = os.statvfs(target).f_flag
    if item["kind"] == "readable" and not flags & MS_RDONLY:
        kept = sum(value for known, value in KEPT_FLAGS.items() if flags & known)
        mount(None, target, None, MS_REMOUNT | MS_BIND | MS_RDONLY | kept)


def change_root(items, propagation):
    """@param propagation whether later mounts of the parent are seen: MS_PRIVATE or MS_SLAVE"""
    mount(None, "/", None, MS_REC | propagation)
    mount("tmpfs", NEW_ROOT, "tmpfs", MS_NOSUID | MS_NODEV)
    for item in items:
        show(item, NEW_ROOT)
    mount(None, NEW_ROOT, None, MS_REMOUNT | MS_BIND | MS_RDONLY | MS_NOSUID | MS_NODEV)
    os.chdir(NEW_ROOT)
    check(libc.syscall(PIVOT_ROOT[os.uname().machine], b".", b"."), "pivot_root")
    check(libc.umount2(b".", MNT_DETACH), "umount2")


def start_loopback():
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
        fcntl.ioctl(any_socket, SIOCSIFFLAGS, struct.pack("16sH14s", b"lo", IFF_UP, b""))


def limit(limits):
    for name, value in limits.items():
        resource.setrlimit(getattr(resource, f"RLIMIT_{name}"), (value, value))


def drop_rights(kept=0):
    """@param kept bits of capabilities below 32"""
    libc.prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0)
    header = struct.pack("Ii", CAPABILITY_VERSION, 0)
    check(libc.capset(header, struct.pack("6I", kept, kept, 0, 0, 0, 0)), "capset")
    check(libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), "no_new_privs")


def fork_into_namespaces(namespaces):
    """Like os.fork, but the child is in namespaces of its own. A second fork would copy all page tables once more."""
    flags = namespaces | signal.SIGCHLD
    ctypes.pythonapi.PyOS_BeforeFork()
    pid = interpreter_libc.syscall(CLONE[os.uname().machine], ctypes.c_long(flags), *[ctypes.c_long(0)] * 4)
    if pid == 0:
        ctypes.pythonapi.PyOS_AfterFork_Child()
        return 0
    number = ctypes.get_errno()
    ctypes.pythonapi.PyOS_AfterFork_Parent()
    if pid < 0:
        raise OSError(number, f"the sandbox cannot be made: clone: {os.strerror(number)}")
    return pid


def enter(order, folder):
    """Makes the sandbox in a child of "fork_into_namespaces". The folder is where the call works in."""
    # The first process of a namespace gets only the signals that it handles.
    signal.signal(signal.SIGTERM, lambda *_: os._exit(128 + signal.SIGTERM))
    start_loopback()
    change_root(order["mounts"], MS_PRIVATE)
    os.chdir(folder)
    limit(order["limits"])
    drop_rights()
    confine(order)


def confine(order):
    """Filters system calls, and starts the ways to the network."""
    deny_network_to_programs(order["programFilter"])
    if order["filter"]:
        apply_filter(read_filter(order["filter"]))
    for way in order["ways"]:
        start_forwarding(way["port"], way["socketPath"])


def deny_network_to_programs(text):
    """Programs that yt-dlp starts get a stricter filter than yt-dlp."""
    if not text:
        return
    bpf = read_filter(text)
    start = subprocess.Popen.__init__

    def start_confined(self, *args, **options):
        options["preexec_fn"] = lambda: apply_filter(bpf)
        start(self, *args, **options)

    subprocess.Popen.__init__ = start_confined


def start_forwarding(port, path):
    listener = socket.create_server(("127.0.0.1", port))
    threading.Thread(target=forward_all, args=(listener, path), daemon=True).start()


def forward_all(listener, path):
    while True:
        visitor, _ = listener.accept()
        service = socket.socket(socket.AF_UNIX)
        try:
            service.connect(path)
        except OSError:
            # The service is gone.
            visitor.close()
            continue
        for source, target in ((visitor, service), (service, visitor)):
            threading.Thread(target=copy, args=(source, target), daemon=True).start()


def copy(source, target):
    try:
        while data := source.recv(COPY_BYTES):
            target.sendall(data)
        target.shutdown(socket.SHUT_WR)
    except OSError:
        # One side broke off: the other one must not wait for it.
        for side in (source, target):
            with contextlib.suppress(OSError):
                side.shutdown(socket.SHUT_RDWR)


def main():
    _, order, program, *_ = sys.argv
    confine(json.loads(order))
    sys.argv = sys.argv[2:]
    runpy.run_path(program, run_name="__main__")


if __name__ == "__main__":
    main()
