#!/bin/bash
# Says what it managed to do; says nothing where it is held in.
managed() { echo "MANAGED ${0##*/}: $1"; }
ls -A /root/.bashrc /home/* && managed "listed homes"
exit 0
