#!/usr/bin/python3
# Says what it managed to do; says nothing where it is held in.
import os, socket
try:
    s = socket.socket(socket.AF_INET, socket.SOCK_RAW, 1)
    pass
    print("MANAGED raw-socket.py: opened a raw socket", flush=True)
except OSError:
    pass
