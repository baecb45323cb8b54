#!/bin/bash
# Says what it managed to do; says nothing where it is held in.
managed() { echo "MANAGED ${0##*/}: $1"; }
chroot /usr/.. /bin/true && managed "changed the root"
exit 0
