#!/bin/bash
# Says what it managed to do; says nothing where it is held in.
managed() { echo "MANAGED ${0##*/}: $1"; }
ls -l /var/run/docker.sock /run/containerd/containerd.sock && managed "found the socket of a container engine"
exit 0
