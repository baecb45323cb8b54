#!/usr/bin/python3
# Says what it managed to do; says nothing where it is held in.
import os
try:
    os.setgroups([1234])
    print("MANAGED setgroups.py: it was let", flush=True)
except OSError:
    pass
