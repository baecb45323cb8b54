/** The numbers of the system calls that the filter looks at. Sources: `asm/unistd_64.h` and `asm-generic/unistd.h`. */
export interface Architecture {
  /** The kernel's `AUDIT_ARCH_…` value, which a filter sees with each call. */
  readonly audit: number;
  /** Numbers from here on belong to the x32 interface and are refused. Null: the architecture has no second interface. */
  readonly foreignFrom: number | null;
  /** Null: the architecture does not have the call. */
  readonly numbers: Readonly<Record<FilteredCall, number | null>>;
}

/** Calls that are always refused: sandboxed programs do not need them, and some of them lead out of a sandbox. */
export const DENIED_CALLS = [
  // other processes
  ...(["kcmp", "pidfd_getfd", "process_madvise"] as const),
  // mounts and namespaces
  ...(["mount", "umount2", "pivot_root", "unshare", "setns", "chroot", "mount_setattr"] as const),
  ...(["fsopen", "fsconfig", "fsmount", "fspick", "open_tree", "move_mount"] as const),
  // the kernel's own surface
  ...(["bpf", "perf_event_open", "userfaultfd", "io_uring_setup", "io_uring_enter", "io_uring_register"] as const),
  ...(["kexec_load", "kexec_file_load", "init_module", "finit_module", "delete_module", "lookup_dcookie"] as const),
  // keyrings, which all processes of a user share whatever their namespaces are, and file handles
  ...(["keyctl", "add_key", "request_key", "open_by_handle_at", "name_to_handle_at"] as const),
  // the machine
  ...(["settimeofday", "clock_settime", "clock_adjtime", "adjtimex", "reboot", "swapon", "swapoff", "acct"] as const),
  ...(["quotactl", "quotactl_fd", "syslog", "vhangup", "sethostname", "setdomainname", "fanotify_init"] as const),
  ...(["iopl", "ioperm", "modify_ldt", "nfsservctl", "mbind", "migrate_pages", "move_pages", "set_mempolicy"] as const),
] as const;

/** Calls of debuggers: refused unless the configuration allows tracing. */
export const TRACING_CALLS = ["ptrace", "process_vm_readv", "process_vm_writev"] as const;

/**
 * Calls that are answered as if the kernel did not have them. The C library then uses the older call, and the filter can
 * read the arguments of that one: `clone3` and `openat2` take theirs in memory, which a filter can't see.
 */
export const ABSENT_CALLS = ["clone3", "openat2"] as const;

/** Calls that set the mode of a file, each with the index of its mode argument. */
export const MODE_CALLS = {
  ...{ chmod: 1, fchmod: 1, fchmodat: 2, fchmodat2: 2 },
  ...{ creat: 1, mkdir: 1, mkdirat: 2, mknod: 1, mknodat: 2 },
} as const;

/** Calls that set a mode if their flags say that they create a file. */
export const OPEN_CALLS = { open: { flags: 1, mode: 2 }, openat: { flags: 2, mode: 3 } } as const;

type FilteredCall =
  | (typeof DENIED_CALLS)[number]
  | (typeof TRACING_CALLS)[number]
  | (typeof ABSENT_CALLS)[number]
  | keyof typeof MODE_CALLS
  | keyof typeof OPEN_CALLS
  | "clone"
  | "socket"
  | "ioctl"
  | "personality"
  | "prctl";

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
    ...{ clone: 56, clone3: 435, socket: 41, ioctl: 16, personality: 135, prctl: 157 },
    ...{ open: 2, openat: 257, openat2: 437, creat: 85, chmod: 90, fchmod: 91, fchmodat: 268, fchmodat2: 452 },
    ...{ mkdir: 83, mkdirat: 258, mknod: 133, mknodat: 259 },
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
    ...{ clone: 220, clone3: 435, socket: 198, ioctl: 29, personality: 92, prctl: 167 },
    ...{ open: null, openat: 56, openat2: 437, creat: null, chmod: null, fchmod: 52, fchmodat: 53, fchmodat2: 452 },
    ...{ mkdir: null, mkdirat: 34, mknod: null, mknodat: 33 },
  },
};

/** Null: there is no table for this processor, so no filter can be made. */
export function architectureOf(name: string): Architecture | null {
  if (name === "x64") return X64;
  return name === "arm64" ? ARM64 : null;
}
