#!/usr/bin/python3
# Says what it managed to do; says nothing where it is held in.
import os
try:
    os.setuid(1234)
    print("MANAGED setuid.py: it was let", flush=True)
except OSError:
    pass
