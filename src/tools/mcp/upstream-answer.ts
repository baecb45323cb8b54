import type { RunResult } from "../../domain/tool.ts";
import type { UpstreamFault } from "./upstream-fault.ts";

/** How a call to an upstream went. */
export type UpstreamAnswer =
  | { readonly kind: "answered"; readonly result: RunResult }
  /** It said no by a JSON-RPC error. */
  | { readonly kind: "error"; readonly code: number; readonly message: string }
  /** There is no such resource. */
  | { readonly kind: "missing" }
  /** It answered with something that can't be taken. */
  | { readonly kind: "bad"; readonly message: string }
  | { readonly kind: "unsent"; readonly fault: UpstreamFault }
  /** It was sent, and nobody knows what became of it. */
  | { readonly kind: "lost" };
