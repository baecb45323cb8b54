import { statfsSync } from "node:fs";

const PROCFS = 0x9fa0;

/**
 * File systems that the kernel makes up (`man 2 statfs`). Their files call themselves regular and are not: reading
 * one runs kernel code, hands out memory and environments, or never ends.
 */
const KERNEL_FILE_SYSTEMS: ReadonlySet<number> = new Set([
  PROCFS,
  0x62656572, // sysfs
  0x27e0eb, // cgroup
  0x63677270, // cgroup2
  0x64626720, // debugfs
  0x74726163, // tracefs
  0x73636673, // securityfs
  0xf97cff8c, // selinuxfs
  0x62656570, // configfs
  0xcafe4a11, // bpf
  0xde5e81e4, // efivarfs
  0x6165676c, // pstore
  0x42494e4d, // binfmt_misc
  0x6e736673, // namespaces
  0x65735543, // fusectl
  0x1cd1, // devpts
]);

/** `>>> 0`, since 32-bit machines give the large ones as negative numbers. */
const typeOf = (path: string): number => statfsSync(path).type >>> 0;

export const isProcfs = (path: string): boolean => typeOf(path) === PROCFS;

export const isKernelMade = (path: string): boolean => KERNEL_FILE_SYSTEMS.has(typeOf(path));
