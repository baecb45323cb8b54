/** Who holds programs in. `none` = nobody, which the operator has to write out. */
export type SandboxBackend = "namespaces" | "none";

/** What holds a program in, and by which means. Shown in plans, outcomes and the ledger. */
export interface SandboxReport {
  readonly backend: SandboxBackend;
  /** As whom the program runs: as the gate's own user, or as another because the gate is root. */
  readonly user: "same" | "root" | "switched";
  readonly seccomp: boolean;
  readonly network: "none" | "host";
  /** What bounds the number of its tasks. */
  readonly tasks: "cgroup" | "rlimit" | "none";
  readonly memory: "cgroup" | "rlimit" | "none";
}
