import { type Draft, refuse, type Tool } from "../../domain/call.ts";
import { LIMITS } from "../../domain/limits.ts";
import type { Content } from "../../domain/outcome.ts";
import type { Files } from "../../ports/files.ts";
import { makeTool } from "../make-tool.ts";
import { failedResult, fileRefusal, judgedPath } from "./file-plan.ts";

const DEFINITION = {
  name: "read_file",
  description: "Reads a file. Text comes back as text, anything else as base64.",
  source: "builtin",
  containment: "process",
  timeoutMs: LIMITS.toolTimeoutMs.default,
  inputSchema: {
    type: "object",
    properties: {
      path: { type: "string", minLength: 1, description: "relative to the workspace, or absolute" },
      offset: { type: "integer", minimum: 0, description: "first byte to read, 0 if not given" },
      limit: { type: "integer", minimum: 1, maximum: LIMITS.readBytes.default, description: "bytes at the most" },
    },
    required: ["path"],
    additionalProperties: false,
  },
} as const;

type ReadInput = {
  readonly path: string;
  readonly offset?: number;
  readonly limit?: number;
};

export function readFileTool(files: Files): Tool<ReadInput> {
  return makeTool<ReadInput>({
    definition: DEFINITION,
    async plan({ input }): Promise<Draft> {
      const located = await files.locate(input.path);
      if (!located.ok) return refuse(fileRefusal(located.fault));
      return { kind: "drafted", plan: { touches: [{ kind: "read", path: located.value.path }], operands: [] } };
    },
    async *run({ input, plan }) {
      const path = judgedPath(plan);
      const read = await files.read(path, {
        offset: input.offset ?? 0,
        limit: input.limit ?? LIMITS.readBytes.default,
      });
      return read.ok
        ? { kind: "completed", content: [contentOf(read.value, files.shown(path))] }
        : failedResult(read.fault);
    },
  });
}

/** Bytes that are not UTF-8 are not forced into text: nothing of them may be lost. */
function contentOf(bytes: Uint8Array, shownPath: string): Content {
  try {
    return { type: "text", text: new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes) };
  } catch {
    const blob = Buffer.from(bytes).toString("base64");
    return { type: "resource", uri: shownPath, mediaType: "application/octet-stream", blob };
  }
}
