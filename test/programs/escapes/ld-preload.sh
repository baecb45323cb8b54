#!/bin/bash
# Says what it managed to do; says nothing where it is held in.
managed() { echo "MANAGED ${0##*/}: $1"; }
touch /etc/ld.so.preload.escaped && rm /etc/ld.so.preload.escaped && managed "wrote into /etc"
exit 0
