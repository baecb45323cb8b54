/** What became of something that the gate takes out of a workspace. */
export type Taken =
  /** Its new path. */
  | { readonly kind: "moved"; readonly to: string }
  /** It was too large to be kept. */
  | { readonly kind: "deleted" }
  /** It was not there any more. */
  | { readonly kind: "gone" }
  /** It is still there. */
  | { readonly kind: "left"; readonly because: string };

/** Where the gate puts what must not lie where a program has made it. */
export interface Quarantine {
  /** No link on the way is followed. Keeps a bounded number of things, and forgets the oldest ones. */
  readonly take: (path: string) => Taken;
}
