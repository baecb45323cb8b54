import { type Digest, digestOf } from "../domain/digest.ts";
import type { AtipEntry } from "./atip-files.ts";
import type { RulesFile } from "./rules-file.ts";

/** Of all that the tools which follow their files are made from; null = there are none. */
export function toolsHashOf(
  scripts: readonly Pick<RulesFile, "name" | "text">[],
  described: readonly AtipEntry[],
): Digest | null {
  if (scripts.length === 0 && described.length === 0) return null;
  return digestOf({
    scripts: scripts.map(({ name, text }) => [name, text]),
    described: described.map(({ textHash, word, timeoutMs = null, secrets = {} }) => ({
      textHash,
      word: { ...word },
      timeoutMs,
      env: Object.keys(secrets),
    })),
  });
}
