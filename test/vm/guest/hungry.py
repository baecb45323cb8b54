"""Takes memory or tasks: hungry.py processes COUNT MB | shared MB | tasks COUNT. Exits with 1 if any part was refused or killed."""

import mmap
import os
import sys

kind, numbers = sys.argv[1], [int(word) for word in sys.argv[2:]]


def child(megabytes):
    """Returns a pipe on which the child reports that it has its memory. It keeps the memory until it is killed."""
    ready, report = os.pipe()
    if os.fork() == 0:
        held = b"x" * (megabytes << 20)
        os.write(report, b"1")
        os.read(idle, 1)
        os._exit(len(held) == 0)
    os.close(report)
    return ready


if kind == "processes":
    count, megabytes = numbers
    idle, release = os.pipe()
    waiting = [child(megabytes) for _ in range(count)]
    full = [os.read(ready, 1) for ready in waiting]
    os.write(release, b"1" * count)
    sys.exit(0 if all(full) else 1)

if kind == "shared":
    memory = mmap.mmap(-1, numbers[0] << 20)
    for _ in range(numbers[0]):
        memory.write(b"x" * (1 << 20))

if kind == "tasks":
    for _ in range(numbers[0]):
        if os.fork() == 0:
            os.read(os.pipe()[0], 1)
