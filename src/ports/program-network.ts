import type { EgressLog } from "./egress.ts";

/** A way out for one program: what it has to be given, and started with. */
export interface ProgramWay extends AsyncDisposable {
  readonly socketPath: string;
  readonly env: Readonly<Record<string, string>>;
  /** Names of granted hosts, and where on its own loopback a program that knows no proxies gets to them. */
  readonly hosts: Readonly<Record<string, string>>;
  /** The program behind what brings its loopback to the proxy. */
  readonly wrapped: (argv: readonly [string, ...string[]]) => readonly [string, ...string[]];
  /** Of this machine, where it has to be seen in the sandbox. */
  readonly installed: { readonly path: string; readonly at: string };
  readonly log: () => EgressLog;
}

/** Who opens ways out. */
export interface ProgramNetwork {
  /** For these patterns, but not for those. Rejects when there is none: then the program must not be started. */
  readonly open: (connect: readonly string[], noConnect: readonly string[]) => Promise<ProgramWay>;
}
