#!/usr/bin/python3
# Says what it managed to do; says nothing where it is held in.
import os, socket
try:
    s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    s.sendto(b"x", ("192.0.2.1", 53))
    print("MANAGED udp-send.py: sent a datagram away", flush=True)
except OSError:
    pass
