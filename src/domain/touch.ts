import type { Digest } from "./digest.ts";

/** One word of a command. `known` is false when only bash, at run time, would know its text. */
export interface Word {
  readonly text: string;
  readonly known: boolean;
}

export type FileTouchKind = "read" | "write" | "delete";

/** INVARIANT (canonical): `path` is absolute, free of `.`, `..`, and of links as of planning. */
export interface FileTouch {
  readonly kind: FileTouchKind;
  readonly path: string;
  /** Everything below the path as well. What the rules forbid inside is hidden from the runner (`Grant.hide`). */
  readonly tree?: true;
  /** The names in the folder are told as well. Those that the rules forbid are hidden likewise. */
  readonly names?: true;
}

/** What a call would do to the world: the nouns that rules speak about. */
export type Touch =
  | FileTouch
  | { readonly kind: "exec"; readonly program: string | null; readonly argv: readonly Word[] }
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
