#!/usr/bin/python3
# Says what it managed to do; says nothing where it is held in.
import os
try:
    import fcntl, pty
    master, slave = pty.openpty()
    fcntl.ioctl(slave, 0x5412, b"x")
    print("MANAGED tiocsti.py: it was let", flush=True)
except OSError:
    pass
