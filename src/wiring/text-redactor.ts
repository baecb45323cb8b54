import { buildRedactor } from "../redact/build-redactor.ts";
import type { Redactor } from "../redact/redactor.ts";

/** Takes out of texts what looks like a secret, or nothing. Knows no secret by its value. */
export function textRedactor(builtin: "on" | "off"): Redactor {
  const engine = () => {
    throw new TypeError("no pattern of a user's is compiled here");
  };
  const built = buildRedactor({ secrets: [], patterns: [], builtin, engine });
  if (!built.ok) throw new TypeError(built.problems.map(({ message }) => message).join("; "));
  return built.redactor;
}
