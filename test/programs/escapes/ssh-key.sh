#!/bin/bash
# Says what it managed to do; says nothing where it is held in.
managed() { echo "MANAGED ${0##*/}: $1"; }
mkdir -p /root/.ssh && touch /root/.ssh/escaped && rm /root/.ssh/escaped && managed "planted a key"
exit 0
