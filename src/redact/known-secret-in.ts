import { Buffer } from "node:buffer";
import { redactedUntilStable } from "./found.ts";
import { KnownValues, type NamedSecret } from "./known-values.ts";
import { Tally } from "./tally.ts";

/** The name of a secret whose value is in the text, in whichever form; null = none is. */
export type SecretIn = (text: string) => string | null;

export function knownSecretIn(secrets: readonly NamedSecret[]): SecretIn {
  if (secrets.length === 0) return () => null;
  const known = new KnownValues(secrets);
  return (text) => {
    const tally = new Tally();
    redactedUntilStable(Buffer.from(text), known, tally);
    return tally.found[0]?.rule ?? null;
  };
}
