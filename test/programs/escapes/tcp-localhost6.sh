#!/bin/bash
# Says what it managed to do; says nothing where it is held in.
managed() { echo "MANAGED ${0##*/}: $1"; }
(exec 5<>"/dev/tcp/localhost/$PORT") && managed "reached a listener by name"
exit 0
