import { needs } from "../../support/parts.ts";
import { type Asked, type DoorClient, type Heard, keepsTheContract } from "./contract.ts";
import type { Place } from "./place.ts";
import { startServer } from "./started-program.ts";

// The part of proto/apm2/tool/v1/tool.proto that the calls need, written out by hand.
type Field = readonly [number, string | Uint8Array | bigint | boolean | undefined];

function varint(value: bigint): readonly number[] {
  const bytes: number[] = [];
  let rest = value;
  for (; rest > 127n; rest >>= 7n) bytes.push(Number(rest & 127n) | 128);
  return [...bytes, Number(rest)];
}

/** A message without the fields that have their default. */
function message(...fields: readonly Field[]): Uint8Array {
  const bytes: number[] = [];
  for (const [tag, value] of fields) {
    if (value === undefined || value === "" || value === 0n || value === false) continue;
    if (typeof value === "bigint" || typeof value === "boolean") {
      bytes.push(...varint(BigInt(tag) << 3n), ...varint(BigInt(value)));
    } else {
      const content = typeof value === "string" ? Buffer.from(value) : value;
      bytes.push(...varint((BigInt(tag) << 3n) | 2n), ...varint(BigInt(content.length)), ...content);
    }
  }
  return Uint8Array.from(bytes);
}

/** Fields of a message by their tags: bytes, or a number. */
function fieldsIn(bytes: Uint8Array): ReadonlyMap<number, Uint8Array | bigint> {
  const fields = new Map<number, Uint8Array | bigint>();
  let at = 0;
  const number = (): bigint => {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = bytes[at++] ?? 0;
      value |= BigInt(byte & 127) << shift;
      if (byte < 128) return value;
    }
  };
  while (at < bytes.length) {
    const key = number();
    if ((key & 7n) === 0n) fields.set(Number(key >> 3n), number());
    else {
      const length = Number(number());
      fields.set(Number(key >> 3n), bytes.subarray(at, at + length));
      at += length;
    }
  }
  return fields;
}

interface Input {
  readonly path?: string;
  readonly content?: string;
  readonly edits?: readonly { readonly oldText: string; readonly newText: string }[];
  readonly command?: string;
  readonly timeoutMs?: number;
  readonly artifact_id?: string;
}

const TOOLS: Readonly<Record<string, (input: Input) => Field>> = {
  read_file: ({ path }) => [10, message([1, path])],
  write_file: ({ path, content = "" }) => [11, message([1, path], [2, Buffer.from(content)])],
  edit_file: ({ path, edits = [] }) => [12, message([1, path], [2, edits[0]?.oldText], [3, edits[0]?.newText])],
  run_command: ({ command, timeoutMs = 0 }) => [13, message([1, command], [3, BigInt(timeoutMs)])],
  fetch_artifact: ({ artifact_id }) => [17, message([1, artifact_id])],
};

const [SUCCESS, DENIED, ERROR] = [2, 3, 4];
const textOf = (field: Uint8Array | bigint | undefined): string =>
  field instanceof Uint8Array ? Buffer.from(field).toString() : "";

async function open(place: Place): Promise<DoorClient> {
  const server = await startServer(place);
  const everything = { tools: "everything", read: ["./**"], write: ["./**"], commands: ["**"] } as const;
  const opened = await place.operator.sessions.open(everything);
  if (opened.kind === "refused") throw new Error(opened.refusal.message);
  let last = 0;
  const call = async ({ tool, input, key, token = opened.token }: Asked): Promise<Heard> => {
    const body = message([1, `request-${++last}`], [2, token], [3, key], TOOLS[tool]?.(input) ?? [10, undefined]);
    const response = await fetch(`${server.url}/toolgate.kernel.v1.ToolKernel/Execute`, {
      method: "POST",
      headers: {
        Authorization: `Bearer ${token}`,
        "Content-Type": "application/proto",
        "Connect-Protocol-Version": "1",
      },
      body,
    });
    const fields = fieldsIn(new Uint8Array(await response.arrayBuffer()));
    for (const tag of [SUCCESS, DENIED, ERROR]) {
      const result = fields.get(tag);
      if (result instanceof Uint8Array) return heardFrom(tag, fieldsIn(result));
    }
    throw new Error(`${response.status} without a result`);
  };
  return { call, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
}

/** The protocol has its own names for some codes, and names the rule of a denied call where there is one. */
const OWN_NAMES: Readonly<Record<string, string>> = {
  COMMAND_FAILED: "TOOL_FAILED",
  NO_MATCHING_RULE: "DEFAULT_DENY",
};

function heardFrom(tag: number, result: ReadonlyMap<number, Uint8Array | bigint>): Heard {
  if (tag === SUCCESS) {
    const inline = textOf(result.get(2));
    const hash = result.get(1);
    const blob = inline === "" && hash instanceof Uint8Array ? Buffer.from(hash).toString("hex") : null;
    return { ends: "completed", wire: "success", text: inline, blob };
  }
  const said = textOf(result.get(tag === DENIED ? 2 : 1));
  const wire = tag === DENIED ? `denied ${textOf(result.get(1))} ${said}` : `error ${said}`;
  return { ends: OWN_NAMES[said] ?? said, wire, text: textOf(result.get(tag === DENIED ? 3 : 2)) };
}

needs("bwrap")("the APM2 kernel protocol", () => {
  keepsTheContract({
    name: "kernel",
    open,
    wire: {
      completed: "success",
      DEFAULT_DENY: "denied DEFAULT_DENY NO_MATCHING_RULE",
      RULE_DENY: "denied private RULE_DENY",
      APPROVAL_REJECTED: "denied APPROVAL_REJECTED APPROVAL_REJECTED",
      APPROVAL_EXPIRED: "denied APPROVAL_EXPIRED APPROVAL_EXPIRED",
      APPROVAL_STALE: "denied APPROVAL_STALE APPROVAL_STALE",
      REDACTED_CONTENT: "denied REDACTED_CONTENT REDACTED_CONTENT",
      LEASE_SCOPE: "denied LEASE_SCOPE LEASE_SCOPE",
      BUDGET_EXCEEDED: "denied BUDGET_EXCEEDED BUDGET_EXCEEDED",
      DEDUPE_MISMATCH: "denied DEDUPE_MISMATCH DEDUPE_MISMATCH",
      FILE_NOT_FOUND: "error FILE_NOT_FOUND",
      MULTIPLE_MATCHES: "error MULTIPLE_MATCHES",
      TOOL_FAILED: "error COMMAND_FAILED",
      TIMEOUT: "error TIMEOUT",
      ARTIFACT_UNKNOWN: "error ARTIFACT_UNKNOWN",
    },
  });
});
