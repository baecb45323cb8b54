#!/bin/bash
# Says what it managed to do; says nothing where it is held in.
managed() { echo "MANAGED ${0##*/}: $1"; }
(exec 5<>"/dev/tcp/127.0.0.1/$PORT") && managed "reached a listener of the machine"
exit 0
