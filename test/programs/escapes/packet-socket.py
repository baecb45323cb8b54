#!/usr/bin/python3
# Says what it managed to do; says nothing where it is held in.
import os, socket
try:
    s = socket.socket(17, socket.SOCK_RAW)
    pass
    print("MANAGED packet-socket.py: opened a packet socket", flush=True)
except OSError:
    pass
