import type { Digest } from "./digest.ts";

/** One word of a command. */
export interface Word {
  /** Decoded; where `known` is false, as it is written. */
  readonly text: string;
  /** False when only bash, at run time, would know its text. */
  readonly known: boolean;
  /** Not known, and it may become any number of words, also none. */
  readonly many?: true;
  /** What the word makes its program do that the program's name does not say. No wildcard of an allow rule covers it. */
  readonly hazard?: string;
}

/**
 * The hazard of a word that the dictionary of programs does not know. A rule may say that its program takes such words
 * (`options: any`); rules that deny do not search them for commands, since most start none.
 */
export const NOT_KNOWN_HARMLESS = "is an option that is not known to be harmless";

export type FileTouchKind = "read" | "write" | "delete";

/** INVARIANT (canonical): `path` is absolute, free of `.`, `..`, and of links as of planning. */
export interface FileTouch {
  readonly kind: FileTouchKind;
  readonly path: string;
  /** Everything below the path as well. What the rules forbid inside is hidden from the runner (`Grant.hide`). */
  readonly tree?: true;
  /** What is written is a folder, which is made for a file below it. */
  readonly folder?: true;
  /**
   * By which other names it was reached: of each link on the way the link's own path, with the rest of the way. A rule that denies or asks
   * about one of them speaks about the touch as well. Left out = no link was on the way.
   */
  readonly links?: readonly string[];
  /**
   * The path is in the sandbox's own `/tmp` or home, which is new and goes with the call: nothing of the machine is touched,
   * unless a rule's grant mounts something there.
   */
  readonly own?: true;
  /** The names in the folder are told as well. Those that the rules forbid are hidden likewise. */
  readonly names?: true;
}

/**
 * Where a command's program comes from: a toolchain root, the shell itself (`cd`), another place (`./run.sh`), or
 * nowhere that is known.
 */
export type ProgramOrigin = "toolchain" | "shell" | "elsewhere" | "nowhere";

export interface ExecTouch {
  readonly kind: "exec";
  /** The file that would run, absolute and free of links; null = none is known. */
  readonly program: string | null;
  readonly origin: ProgramOrigin;
  readonly argv: readonly Word[];
  /** `NAME=value` of variables that may change what the program does. Left out = none. */
  readonly env?: readonly Word[];
  /** The commands that it was found behind (`timeout 5 …`): what denies them or asks about them speaks here too. */
  readonly via?: readonly (readonly Word[])[];
}

/** What a call would do to the world: the nouns that rules speak about. */
export type Touch =
  | FileTouch
  | ExecTouch
  /** INVARIANT (host): `host` is in lower case and ASCII, without a final dot; an IPv6 address has no brackets. */
  | { readonly kind: "connect"; readonly host: string; readonly port: number; readonly scheme: string }
  | {
      readonly kind: "git";
      readonly operation: string;
      readonly arguments: readonly string[];
      readonly repository: string;
    }
  | { readonly kind: "model"; readonly provider: string; readonly model: string; readonly tokensMax: number }
  | { readonly kind: "tool"; readonly name: string; readonly definitionDigest: Digest }
  | { readonly kind: "unknown"; readonly reason: string };

export type TouchKind = Touch["kind"];

export const FILE_TOUCH_KINDS = ["read", "write", "delete"] as const satisfies readonly FileTouchKind[];

export const isFileTouch = (touch: Touch): touch is FileTouch =>
  touch.kind === "read" || touch.kind === "write" || touch.kind === "delete";
