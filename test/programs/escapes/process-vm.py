#!/usr/bin/python3
# Says what it managed to do. A call that gets as far as to look at its arguments was not held back.
import ctypes, errno, os
libc = ctypes.CDLL(None, use_errno=True)
pid = os.fork()
if pid == 0:
    result = libc.syscall(310, os.getpid(),0,0,0,0,0)
    if result >= 0 or ctypes.get_errno() not in (errno.EPERM, errno.ENOSYS):
        print("MANAGED process-vm.py: read the memory of a process", flush=True)
    os._exit(0)
os.waitpid(pid, 0)
