#!/usr/bin/python3
# Says what it managed to do; says nothing where it is held in.
import os, socket
try:
    s = socket.socket(16, socket.SOCK_RAW, 9)
    pass
    print("MANAGED netlink-audit.py: opened the audit netlink", flush=True)
except OSError:
    pass
