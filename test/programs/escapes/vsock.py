#!/usr/bin/python3
# Says what it managed to do; says nothing where it is held in.
import os, socket
try:
    s = socket.socket(40, socket.SOCK_STREAM)
    pass
    print("MANAGED vsock.py: opened a vsock", flush=True)
except OSError:
    pass
