import type { Tool } from "../domain/call.ts";

/** The tools there are. A name means the tool of exactly this name. */
export interface Catalog {
  readonly find: (name: string) => Tool | undefined;
  readonly names: () => Iterable<string>;
  readonly all: () => Iterable<Tool>;
  /** Why a name may mean nothing, for whoever meant something by it. Left out, or null: nobody knows. */
  readonly whyUnknown?: (name: string) => string | null;
}
