import type { UpstreamSpec } from "../../domain/upstream.ts";
import { quoted } from "../../domain/visible.ts";
import { fault, type UpstreamFault } from "./upstream-fault.ts";

/**
 * Why an upstream is out of use: it is not started without a secret that it is to be given. Null: it has all of them. What else
 * the gate has works on.
 */
export function missingSecret({ missing }: Pick<UpstreamSpec, "missing">): UpstreamFault | null {
  if (missing.length === 0) return null;
  const names = missing.map((name) => quoted(name)).join(", ");
  const are = missing.length === 1 ? `the variable ${names} is` : `the variables ${names} are`;
  const exports = missing.map((name) => `export ${name}=…`).join("; ");
  return fault("SECRET_MISSING", `${are} not set`, `\`${exports}\` where the gate is started, and start it anew`);
}

/** The same for whoever reads it without knowing which upstream is spoken of. */
export const outOfUse = (upstream: string, { message }: Pick<UpstreamFault, "message">): string =>
  `the upstream \`${upstream}\` is out of use: ${message}`;
