import { CALLS, CallList, type Label } from "./call-list.ts";

type First = number | { readonly at: number };

const [O_RDWR, CURRENT_FOLDER] = [2, -100];
/** `man 2 unshare`, `man 2 mount_setattr`. */
const [CLONE_NEWNS, AT_RECURSIVE, MOUNT_ATTR_RDONLY, ATTRIBUTES_BYTES] = [0x20000, 0x8000, 1, 32];
/** As `vfork` does it. */
const AS_VFORK = 0x100 | 0x4000 | 17;

/**
 * Steps of a copy of the spawner after which it has the machine's devices as nobody can change them: who runs as root is
 * their owner, and could `chmod` them for everybody, also through the one that is its input. Devices may be opened where
 * mounts are read-only, and what bubblewrap binds stays so; it can't make them so itself without closing them wholly.
 */
export function closeDevices(
  list: CallList,
  step: (number: number, first: First, ...others: readonly number[]) => void,
): void {
  step(CALLS.unshare, CLONE_NEWNS);
  const attributes = list.words([MOUNT_ATTR_RDONLY, 0, 0, 0]);
  step(CALLS.mountSetattr, CURRENT_FOLDER, list.text("/dev"), AT_RECURSIVE, attributes, ATTRIBUTES_BYTES);
  step(CALLS.close, 0);
  step(CALLS.openat, CURRENT_FOLDER, list.text("/dev/null"), O_RDWR);
}

/** Tries that with a copy that ends at once. Its first failure says that it can't be done here. */
export function triedDevices(): CallList {
  const list = new CallList();
  const pid = list.slot();
  const [end, inCopy]: readonly [Label, Label] = [{ step: null }, { step: null }];
  list.step(CALLS.clone, AS_VFORK, [], { result: pid.at, zero: inCopy });
  list.step(CALLS.wait4, pid, [0, 0, 0]);
  list.answer();
  list.place(inCopy);
  closeDevices(list, (number, first, ...others) => list.step(number, first, others, { below: end }));
  list.place(end);
  list.step(CALLS.exitGroup, 0);
  return list;
}
