import type { Trust } from "../domain/tool-effects.ts";
import { isTrustedAs } from "../rules/trust.ts";
import type { AtipTool } from "./metadata.ts";

/** What the operator says of a description and its program, which counts. */
export interface OperatorsWord {
  readonly trust?: Exclude<Trust, "native">;
  /** The program's SHA-256. */
  readonly sha256?: string;
}

/** What a file says of itself counts up to here: whoever wrote the lie wrote this line as well. */
const CLAIM_MAX: Trust = "user";

/** The operator's word; else what the file claims, as far as a claim goes. Nothing said is the lowest. */
export function trustIn({ trust }: AtipTool, { trust: said }: OperatorsWord): Trust {
  if (said !== undefined) return said;
  const claimed = trust?.source ?? "inferred";
  return isTrustedAs(claimed, CLAIM_MAX) ? CLAIM_MAX : claimed;
}

/** SHA-256 of the program that the description was made for, in lower case; null = nobody says. */
export function pinnedHash({ binary, trust }: AtipTool, { sha256 }: OperatorsWord): string | null {
  const claimed = binary?.hash ?? trust?.integrity?.checksum ?? trust?.checksum;
  const given = sha256 ?? (claimed?.startsWith("sha256:") ? claimed.slice("sha256:".length) : undefined);
  return given?.toLowerCase() ?? null;
}

/**
 * How far it is known that the program is the one that is described. `verified`: the operator has pinned its hash.
 * `unverified`: only the file names a hash. `unsigned`: nobody does. A hash that differs is `compromised`, which is seen
 * when the program is about to be started, and nothing runs.
 * INVARIANT (claims raise nothing): signatures and provenance (Sigstore, SLSA) are checked by nobody here, so a file that
 * claims them stands exactly where it would without.
 */
export type Verification = "verified" | "unverified" | "unsigned";

export function verificationOf(tool: AtipTool, word: OperatorsWord): Verification {
  if (word.sha256 !== undefined) return "verified";
  return pinnedHash(tool, word) === null ? "unsigned" : "unverified";
}
