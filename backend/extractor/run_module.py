"""Runs a module as a program, as python -m does. usage: run_module.py MODULE ARGUMENTS..."""

import runpy
import sys

sys.argv = sys.argv[1:]
runpy.run_module(sys.argv[0], run_name="__main__", alter_sys=True)
