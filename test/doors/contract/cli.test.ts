import { once } from "node:events";
import { text } from "node:stream/consumers";
import { needs } from "../../support/parts.ts";
import { type Asked, type DoorClient, type Heard, keepsTheContract } from "./contract.ts";
import type { Place } from "./place.ts";
import { startProgram, trustConfig } from "./started-program.ts";

/** What `toolgate call --json` prints: one outcome on one line. */
interface Printed {
  readonly kind: string;
  readonly content?: readonly { readonly text?: string }[];
  readonly refusal?: { readonly code: string; readonly message: string };
  readonly error?: { readonly code: string; readonly message: string };
  readonly truncated?: { readonly blob: string };
}

async function open(place: Place): Promise<DoorClient> {
  await trustConfig(place);
  return { call: (asked) => call(place, asked), [Symbol.asyncDispose]: async () => {} };
}

async function call(place: Place, { tool, input, key, token, cancel }: Asked): Promise<Heard> {
  const args = ["call", tool, "-", "--json", ...(key === undefined ? [] : ["--key", key])];
  const child = startProgram(place, args, token === undefined ? {} : { TOOLGATE_TOKEN: token });
  child.stdin.end(JSON.stringify(input));
  void cancel?.then(() => child.kill("SIGINT"));
  const [out, [exitCode]] = await Promise.all([text(child.stdout), once(child, "exit")]);
  const { kind, content = [], refusal, error, truncated } = JSON.parse(out) as Printed;
  const because = refusal ?? error;
  return {
    ends: because?.code ?? kind,
    wire: `exit ${exitCode}`,
    text: [...content.map((item) => item.text ?? ""), because?.message ?? ""].join("\n"),
    blob: truncated?.blob ?? null,
  };
}

needs("bwrap")("the command line", () => {
  keepsTheContract({
    name: "cli",
    open,
    wire: {
      completed: "exit 0",
      FILE_NOT_FOUND: "exit 1",
      MULTIPLE_MATCHES: "exit 1",
      TOOL_FAILED: "exit 1",
      TIMEOUT: "exit 1",
      CANCELLED: "exit 1",
      LIMIT_FSIZE: "exit 1",
      ARTIFACT_UNKNOWN: "exit 1",
      DEFAULT_DENY: "exit 3",
      RULE_DENY: "exit 3",
      APPROVAL_REJECTED: "exit 3",
      APPROVAL_EXPIRED: "exit 3",
      APPROVAL_STALE: "exit 3",
      PATH_INVALID: "exit 3",
      INVALID_ARGUMENTS: "exit 3",
      TOOL_UNKNOWN: "exit 3",
      REDACTED_CONTENT: "exit 3",
      DEDUPE_MISMATCH: "exit 3",
      LEASE_SCOPE: "exit 3",
      BUDGET_EXCEEDED: "exit 3",
      INTERACTIVE_BLOCKED: "exit 3",
      EXECUTOR_UNAVAILABLE: "exit 3",
      OUTCOME_UNKNOWN: "exit 5",
    },
  });
});
