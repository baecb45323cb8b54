import type { ToolEffects } from "../../domain/tool-effects.ts";

/** What all file tools have in common: they work on files of this machine, and on nothing else. */
const ONLY_FILES = {
  network: false,
  subprocess: false,
  interactive: { stdin: "none", prompts: false, tty: false },
  cost: { estimate: "free", billable: false },
} as const satisfies ToolEffects;

export const READS = {
  ...ONLY_FILES,
  filesystem: { read: true, write: false, delete: false },
  idempotent: true,
  reversible: true,
  destructive: false,
} as const satisfies ToolEffects;

/** Reads by a program, which sees nothing else. */
export const SEARCHES = { ...READS, subprocess: true } as const satisfies ToolEffects;

/** Whether a change loses anything depends on what stood there, so it does not say. */
export const CHANGES = {
  ...ONLY_FILES,
  filesystem: { read: true, write: true, delete: false },
} as const satisfies ToolEffects;

export const PATCHES = {
  ...ONLY_FILES,
  filesystem: { read: true, write: true, delete: true },
} as const satisfies ToolEffects;

export const DELETES = {
  ...ONLY_FILES,
  filesystem: { read: false, write: false, delete: true },
  reversible: false,
  destructive: true,
} as const satisfies ToolEffects;
