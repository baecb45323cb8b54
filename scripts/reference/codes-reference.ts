import { CODES } from "../../src/domain/codes.ts";
import { code, GENERATED, table } from "./markdown.ts";

export function codesReference(): string {
  const rows = Object.entries(CODES).map(([name, { means, retryable }]) => [
    code(name),
    means,
    retryable ? "yes" : "no",
  ]);
  return `${GENERATED}

# Codes

The closed list of why a call was refused or failed: \`refusal.code\` and \`error.code\` of an outcome, \`code\` of an
explanation. They are stable; messages are not. *Again* says whether the very same call may succeed later without anybody
changing anything.

${table(["code", "means", "again"], rows)}
`;
}
