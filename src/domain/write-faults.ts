/** Why the system does not let a file of the state be written, and the one thing to do, by the code of the error. */
export const WRITE_FAULTS: Readonly<Record<string, { readonly because: string; readonly hint: string } | undefined>> = {
  ENOSPC: { because: "the disk is full", hint: "make room on the disk of the state directory" },
  EDQUOT: { because: "the disk quota is used up", hint: "make room on the disk of the state directory" },
  EROFS: {
    because: "the file system is read-only",
    hint: "make the file system of the state directory writable, or name another directory with `state` in toolgate.yaml",
  },
  EACCES: { because: "this user may not write there", hint: "make the state directory yours with `chown`" },
  EPERM: { because: "this user may not write there", hint: "make the state directory yours with `chown`" },
  ENOTDIR: { because: "a part of its path is not a folder", hint: "name a folder with `state` in toolgate.yaml" },
};
