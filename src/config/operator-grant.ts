import type { UpstreamSpec } from "../domain/upstream.ts";
import { compileConnectPattern } from "../rules/connect-pattern.ts";
import { compilePathPattern } from "../rules/path-pattern.ts";
import type { Path } from "../schema/mismatch.ts";

type Grant = UpstreamSpec["grant"];
type Tell = (path: Path, message: string, hint?: string) => void;

/** What the operator grants to a program of theirs. Patterns that can't be read are told with their place in it. */
export function operatorGrantFrom(given: Partial<Grant>, workspace: string, tell: Tell): Grant {
  for (const kind of ["read", "write", "connect"] as const)
    for (const [index, text] of (given[kind] ?? []).entries()) {
      const compiled = kind === "connect" ? compileConnectPattern(text) : compilePathPattern(text, workspace);
      if ("error" in compiled) tell([kind, index], compiled.error, compiled.hint);
    }
  return { read: given.read ?? [], write: given.write ?? [], connect: given.connect ?? [] };
}
