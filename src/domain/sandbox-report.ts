/** Who holds programs in. `none` = nobody, which the operator has to write out. */
export type SandboxBackend = "namespaces" | "none";

/** The least that programs may run in. `groups`: namespaces, and cgroups that bound memory and tasks. */
export type SandboxMinimum = SandboxBackend | "groups";

/** What holds a program in, and by which means. Shown in plans, outcomes and the ledger. */
export interface SandboxReport {
  readonly backend: SandboxBackend;
  /** As whom the program runs: as the gate's own user, or as another because the gate is root. */
  readonly user: "same" | "root" | "switched";
  readonly seccomp: boolean;
  readonly network: "none" | "host";
  /** What bounds the number of its tasks. */
  readonly tasks: "cgroup" | "rlimit" | "none";
  /** What bounds the memory of all its processes together. `watched`: the gate adds it up, and ends the program. */
  readonly memory: "cgroup" | "watched" | "none";
}
