import { type Draft, refuse, type Tool } from "../../domain/call.ts";
import { LIMITS } from "../../domain/limits.ts";
import type { InputError } from "../../domain/outcome.ts";
import { type CheckedPath, type FileResult, type Files, ok, reachedBy } from "../../ports/files.ts";
import { REACH_BYTES } from "../../redact/cut-part.ts";
import type { Redactor } from "../../redact/redactor.ts";
import { makeTool } from "../make-tool.ts";
import { contentFromBytes } from "./content-from-bytes.ts";
import { redactedCutText } from "./cut-text.ts";
import { READS } from "./file-effects.ts";
import { failedResult, fileRefusal, judgedPath } from "./file-plan.ts";
import { linesIn } from "./line-range.ts";
import { inputError, type Sound, withCheck } from "./with-check.ts";

const DEFINITION = {
  name: "read_file",
  description:
    "Reads a file: all of it, some lines (`startLine`, `endLine`) or some bytes (`offset`, `limit`). Text comes back as text, pictures as pictures, anything else as base64.",
  source: "builtin",
  containment: "process",
  effects: READS,
  timeoutMs: LIMITS.toolTimeoutMs.default,
  inputSchema: {
    type: "object",
    properties: {
      path: { type: "string", minLength: 1, description: "relative to the workspace, or absolute" },
      startLine: { type: "integer", minimum: 1, description: "first line to read, 1 if not given" },
      endLine: { type: "integer", minimum: 1, description: "last line to read, the file's last if not given" },
      offset: { type: "integer", minimum: 0, description: "first byte to read, 0 if not given" },
      limit: { type: "integer", minimum: 1, maximum: LIMITS.readBytes.default, description: "bytes at the most" },
    },
    required: ["path"],
    additionalProperties: false,
  },
} as const;

type ReadInput = {
  readonly path: string;
  readonly startLine?: number;
  readonly endLine?: number;
  readonly offset?: number;
  readonly limit?: number;
};

export interface ReadPorts {
  readonly files: Files;
  readonly redactor: Pick<Redactor, "redactCut" | "text">;
}

export function readFileTool({ files, redactor }: ReadPorts): Tool<ReadInput> {
  const tool = makeTool<ReadInput>({
    definition: DEFINITION,
    async plan({ input }): Promise<Draft> {
      const located = await files.locate(input.path);
      if (!located.ok) return refuse(fileRefusal(located.fault));
      return {
        kind: "drafted",
        plan: { touches: [{ kind: "read", path: located.value.path, ...reachedBy(located.value) }], operands: [] },
      };
    },
    async *run({ input, plan }) {
      const path = judgedPath(plan);
      const read = isWhole(input) ? await files.read(path, ALL) : await part(files, path, input);
      if (!read.ok) return failedResult(read.fault);
      const bytes =
        "bytes" in read.value
          ? redactedCutText(redactor.redactCut(read.value.bytes, read.value), redactor)
          : read.value;
      return {
        kind: "completed",
        content: [contentFromBytes(bytes, files.shown(path), isWhole(input) ? "whole" : "part")],
      };
    },
  });
  return withCheck(tool, rangeErrors);
}

const inLines = ({ startLine, endLine }: Sound<ReadInput>): boolean => startLine !== undefined || endLine !== undefined;
const inBytes = ({ offset, limit }: Sound<ReadInput>): boolean => offset !== undefined || limit !== undefined;
const isWhole = (input: ReadInput): boolean => !inLines(input) && !inBytes(input);

function rangeErrors(input: Sound<ReadInput>): readonly InputError[] {
  const { startLine = 1, endLine = Number.POSITIVE_INFINITY } = input;
  if (inLines(input) && inBytes(input)) {
    const field = input.startLine === undefined ? "endLine" : "startLine";
    return [inputError(field, "mutually_exclusive", "lines and bytes can't be asked for together")];
  }
  if (endLine < startLine) return [inputError("endLine", "minimum", `\`endLine\` must be at least ${startLine}`)];
  return [];
}

const NOTHING = new Uint8Array(0);

/** No limit given: all of it or a fault, never a part. */
const ALL = { offset: 0, limit: Number.POSITIVE_INFINITY };

/**
 * A part, and what stands around it. INVARIANT (redact first): a secret is looked for before anything is cut, also by the
 * caller's own choice of where; who reads a file in parts would get it out in two otherwise.
 */
interface Part {
  readonly bytes: Uint8Array;
  readonly before: Uint8Array;
  readonly after: Uint8Array;
}

async function part(files: Files, path: CheckedPath, input: ReadInput): Promise<FileResult<Part>> {
  return inLines(input) ? await lines(files, path, input) : await bytes(files, path, input);
}

async function lines(files: Files, path: CheckedPath, input: ReadInput): Promise<FileResult<Part>> {
  const { startLine = 1, endLine = Number.POSITIVE_INFINITY } = input;
  const read = await files.read(path, ALL);
  if (!read.ok) return read;
  const place = linesIn(read.value, { startLine, endLine }, files.shown(path));
  if (!place.ok) return place;
  const { start, end } = place.value;
  const before = read.value.subarray(Math.max(0, start - REACH_BYTES), start);
  const after = read.value.subarray(end, end + REACH_BYTES);
  return ok({ bytes: read.value.subarray(start, end), before, after });
}

async function bytes(files: Files, path: CheckedPath, input: ReadInput): Promise<FileResult<Part>> {
  const { offset = 0, limit = Number.POSITIVE_INFINITY } = input;
  const read = await files.read(path, { offset, limit });
  if (!read.ok) return read;
  const from = Math.max(0, offset - REACH_BYTES);
  const before = await files.read(path, { offset: from, limit: offset - from });
  if (!before.ok) return before;
  const after = await files.read(path, { offset: offset + read.value.length, limit: REACH_BYTES });
  const isShorter = !after.ok && after.fault.code === "INVALID_OFFSET"; // by now: nothing stands behind it any more
  if (!after.ok && !isShorter) return after;
  return ok({ bytes: read.value, before: before.value, after: after.ok ? after.value : NOTHING });
}
