#!/bin/bash
# Says what it managed to do; says nothing where it is held in.
managed() { echo "MANAGED ${0##*/}: $1"; }
ls -l /run/dbus /run/systemd && managed "found the sockets of the system"
exit 0
