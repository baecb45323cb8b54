import { type Draft, refuse, type Tool } from "../../domain/call.ts";
import { LIMITS } from "../../domain/limits.ts";
import type { Content, InputError } from "../../domain/outcome.ts";
import type { CheckedPath, FileResult, Files } from "../../ports/files.ts";
import { makeTool } from "../make-tool.ts";
import { READS } from "./file-effects.ts";
import { failedResult, fileRefusal, judgedPath } from "./file-plan.ts";
import { linesIn } from "./line-range.ts";
import { mediaTypeOf } from "./media-type.ts";
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

export function readFileTool(files: Files): Tool<ReadInput> {
  const tool = makeTool<ReadInput>({
    definition: DEFINITION,
    async plan({ input }): Promise<Draft> {
      const located = await files.locate(input.path);
      if (!located.ok) return refuse(fileRefusal(located.fault));
      return { kind: "drafted", plan: { touches: [{ kind: "read", path: located.value.path }], operands: [] } };
    },
    async *run({ input, plan }) {
      const path = judgedPath(plan);
      const read = await part(files, path, input);
      return read.ok
        ? { kind: "completed", content: [contentOf(read.value, files.shown(path), isWhole(input))] }
        : failedResult(read.fault);
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

async function part(files: Files, path: CheckedPath, input: ReadInput): Promise<FileResult<Uint8Array>> {
  const { startLine = 1, endLine = Number.POSITIVE_INFINITY } = input;
  const { offset = 0, limit = Number.POSITIVE_INFINITY } = input; // no limit given: all of it or a fault, never a part
  const read = await files.read(path, { offset, limit });
  return read.ok && inLines(input) ? linesIn(read.value, { startLine, endLine }, files.shown(path)) : read;
}

/** Bytes that are not UTF-8 are not forced into text: nothing of them may be lost. A part of a picture is no picture. */
function contentOf(bytes: Uint8Array, shownPath: string, whole: boolean): Content {
  const text = textFrom(bytes);
  if (text !== null) return { type: "text", text };
  const mediaType = whole ? mediaTypeOf(bytes) : "application/octet-stream";
  const data = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("base64");
  return mediaType.startsWith("image/")
    ? { type: "image", mediaType, data }
    : { type: "resource", uri: shownPath, mediaType, blob: data };
}

/** Null = not text. A NUL is in no text, though UTF-8 has it. */
function textFrom(bytes: Uint8Array): string | null {
  if (bytes.includes(0)) return null;
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}
