import type { Word } from "../domain/touch.ts";

/** Where a command may stand when it runs: folders relative to where the script began. Null = it can't be told. */
export type Folders = readonly string[] | null;

/** A simple command that bash may run, with all its quotes taken off. */
export interface FoundCommand {
  /** INVARIANT (program): there is a first word, and it is known. */
  readonly argv: readonly Word[];
  /** Assignments that may change what it does, as `NAME=value`. */
  readonly env: readonly Word[];
  readonly folders: Folders;
  /** Started by another program, so that functions and builtins of the shell are out of its reach. */
  readonly external: boolean;
  /** The carriers that it was found behind, each a command of its own: `timeout 5 …`. */
  readonly via: readonly (readonly Word[])[];
}

/** A file that is opened by the shell itself, or by a program that does nothing else with its operands. */
export interface FoundFile {
  readonly kind: "read" | "write";
  /** As bash opens it: relative to each of `folders`. */
  readonly path: string;
  readonly folders: Folders;
  /** `redirect`: the shell opens it. `operand`: a program is told to, which the sandbox bounds as well. */
  readonly by: "redirect" | "operand";
  /** The path begins with `~`, `$HOME` or `$TMPDIR`, which the script does not set: the rest of it. */
  readonly below?: { readonly variable: "HOME" | "TMPDIR"; readonly rest: string };
}

export interface FoundConnection {
  readonly host: string;
  readonly port: number;
  readonly scheme: "tcp" | "udp";
}

/** All that a script would do, as far as it can be read. What can't be is in `unknown`, in words. */
export interface Reading {
  readonly commands: readonly FoundCommand[];
  readonly files: readonly FoundFile[];
  readonly connections: readonly FoundConnection[];
  readonly unknown: readonly string[];
  /** Functions that the script defines: a command of such a name may be its body, which is read by itself. */
  readonly functions: ReadonlySet<string>;
  /** A limit was reached, so that the rest was not looked at: nothing may run. */
  readonly tooComplex: string | null;
}
