#!/bin/bash
# Says what it managed to do; says nothing where it is held in.
managed() { echo "MANAGED ${0##*/}: $1"; }
mkdir /sys/fs/cgroup/pids/escaped && rmdir /sys/fs/cgroup/pids/escaped && managed "made a cgroup"
exit 0
