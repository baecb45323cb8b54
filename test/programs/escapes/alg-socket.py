#!/usr/bin/python3
# Says what it managed to do; says nothing where it is held in.
import os, socket
try:
    s = socket.socket(38, socket.SOCK_SEQPACKET)
    pass
    print("MANAGED alg-socket.py: opened a crypto socket", flush=True)
except OSError:
    pass
