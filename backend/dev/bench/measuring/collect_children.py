"""Runs a command, and becomes the parent of processes that lose theirs below it, so that their CPU time is counted.

A tool's sandbox ends before the tool's last process is waited for. Passes SIGTERM on, and ends as the command does.
"""

import ctypes
import os
import signal
import subprocess
import sys

PR_SET_CHILD_SUBREAPER = 36

ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1)
command = subprocess.Popen(sys.argv[1:])
signal.signal(signal.SIGTERM, lambda *_: command.send_signal(signal.SIGTERM))
while True:
    pid, status = os.wait()
    if pid == command.pid:
        sys.exit(os.waitstatus_to_exitcode(status))
