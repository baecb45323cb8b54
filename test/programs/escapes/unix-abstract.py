#!/usr/bin/python3
# Says what it managed to do; says nothing where it is held in.
import os, socket
try:
    s = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    s.connect("\0" + os.environ["ABSTRACT"])
    print("MANAGED unix-abstract.py: reached an abstract socket of the machine", flush=True)
except OSError:
    pass
