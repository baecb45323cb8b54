/** Numbers of system calls, by architecture: `asm/unistd_64.h` and `asm-generic/unistd.h`. */
export interface Architecture {
  /** `AUDIT_ARCH_…`: how the kernel names it to a filter. */
  readonly audit: number;
  /** Numbers from here on are calls of another interface (x32), which no program of ours has. */
  readonly foreignFrom: number | null;
  readonly numbers: Readonly<
    Record<DeniedCall | "clone" | "clone3" | "socket" | "ioctl" | "personality", number | null>
  >;
}

/** What no sandboxed program needs, and what leads out of sandboxes. */
export const DENIED_CALLS = [
  // other processes
  ...(["ptrace", "process_vm_readv", "process_vm_writev", "kcmp", "pidfd_getfd", "process_madvise"] as const),
  // mounts and namespaces
  ...(["mount", "umount2", "pivot_root", "unshare", "setns", "chroot", "mount_setattr"] as const),
  ...(["fsopen", "fsconfig", "fsmount", "fspick", "open_tree", "move_mount"] as const),
  // the kernel's own surface
  ...(["bpf", "perf_event_open", "userfaultfd", "io_uring_setup", "io_uring_enter", "io_uring_register"] as const),
  ...(["kexec_load", "kexec_file_load", "init_module", "finit_module", "delete_module", "lookup_dcookie"] as const),
  // keys and handles: the keyrings of root are shared by all containers
  ...(["keyctl", "add_key", "request_key", "open_by_handle_at", "name_to_handle_at"] as const),
  // the machine
  ...(["settimeofday", "clock_settime", "clock_adjtime", "adjtimex", "reboot", "swapon", "swapoff", "acct"] as const),
  ...(["quotactl", "quotactl_fd", "syslog", "vhangup", "sethostname", "setdomainname", "fanotify_init"] as const),
  ...(["iopl", "ioperm", "modify_ldt", "nfsservctl", "mbind", "migrate_pages", "move_pages", "set_mempolicy"] as const),
] as const;

export type DeniedCall = (typeof DENIED_CALLS)[number];

const X64: Architecture = {
  audit: 0xc000003e,
  foreignFrom: 0x40000000,
  numbers: {
    ...{
      ptrace: 101,
      process_vm_readv: 310,
      process_vm_writev: 311,
      kcmp: 312,
      pidfd_getfd: 438,
      process_madvise: 440,
    },
    ...{ mount: 165, umount2: 166, pivot_root: 155, unshare: 272, setns: 308, chroot: 161, mount_setattr: 442 },
    ...{ fsopen: 430, fsconfig: 431, fsmount: 432, fspick: 433, open_tree: 428, move_mount: 429 },
    ...{ bpf: 321, perf_event_open: 298, userfaultfd: 323 },
    ...{ io_uring_setup: 425, io_uring_enter: 426, io_uring_register: 427 },
    ...{ kexec_load: 246, kexec_file_load: 320, init_module: 175, finit_module: 313, delete_module: 176 },
    ...{ lookup_dcookie: 212, keyctl: 250, add_key: 248, request_key: 249 },
    ...{ open_by_handle_at: 304, name_to_handle_at: 303, settimeofday: 164, clock_settime: 227, clock_adjtime: 305 },
    ...{ adjtimex: 159, reboot: 169, swapon: 167, swapoff: 168, acct: 163, quotactl: 179, quotactl_fd: 443 },
    ...{ syslog: 103, vhangup: 153, sethostname: 170, setdomainname: 171, fanotify_init: 300 },
    ...{ iopl: 172, ioperm: 173, modify_ldt: 154, nfsservctl: 180 },
    ...{ mbind: 237, migrate_pages: 256, move_pages: 279, set_mempolicy: 238 },
    ...{ clone: 56, clone3: 435, socket: 41, ioctl: 16, personality: 135 },
  },
};

const ARM64: Architecture = {
  audit: 0xc00000b7,
  foreignFrom: null,
  numbers: {
    ...{
      ptrace: 117,
      process_vm_readv: 270,
      process_vm_writev: 271,
      kcmp: 272,
      pidfd_getfd: 438,
      process_madvise: 440,
    },
    ...{ mount: 40, umount2: 39, pivot_root: 41, unshare: 97, setns: 268, chroot: 51, mount_setattr: 442 },
    ...{ fsopen: 430, fsconfig: 431, fsmount: 432, fspick: 433, open_tree: 428, move_mount: 429 },
    ...{ bpf: 280, perf_event_open: 241, userfaultfd: 282 },
    ...{ io_uring_setup: 425, io_uring_enter: 426, io_uring_register: 427 },
    ...{ kexec_load: 104, kexec_file_load: 294, init_module: 105, finit_module: 273, delete_module: 106 },
    ...{ lookup_dcookie: 18, keyctl: 219, add_key: 217, request_key: 218 },
    ...{ open_by_handle_at: 265, name_to_handle_at: 264, settimeofday: 170, clock_settime: 112, clock_adjtime: 266 },
    ...{ adjtimex: 171, reboot: 142, swapon: 224, swapoff: 225, acct: 89, quotactl: 60, quotactl_fd: 443 },
    ...{ syslog: 116, vhangup: 58, sethostname: 161, setdomainname: 162, fanotify_init: 262 },
    ...{ iopl: null, ioperm: null, modify_ldt: null, nfsservctl: 42 },
    ...{ mbind: 235, migrate_pages: 238, move_pages: 239, set_mempolicy: 237 },
    ...{ clone: 220, clone3: 435, socket: 198, ioctl: 29, personality: 92 },
  },
};

/** Null: no table for this machine, and so no filter. */
export function architectureOf(name: string): Architecture | null {
  if (name === "x64") return X64;
  return name === "arm64" ? ARM64 : null;
}
