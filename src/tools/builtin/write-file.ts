import { type Draft, refuse, type Tool } from "../../domain/call.ts";
import { digestOfBytes } from "../../domain/digest.ts";
import { LIMITS } from "../../domain/limits.ts";
import type { Files } from "../../ports/files.ts";
import { makeTool } from "../make-tool.ts";
import { failedResult, fileRefusal, judgedPath } from "./file-plan.ts";

const DEFINITION = {
  name: "write_file",
  description: "Creates a file or replaces its whole content, in one step.",
  source: "builtin",
  containment: "process",
  timeoutMs: LIMITS.toolTimeoutMs.default,
  inputSchema: {
    type: "object",
    properties: {
      path: { type: "string", minLength: 1, description: "relative to the workspace, or absolute" },
      content: { type: "string", description: "the whole new content" },
    },
    required: ["path", "content"],
    additionalProperties: false,
  },
} as const;

type WriteInput = {
  readonly path: string;
  readonly content: string;
};

export function writeFileTool(files: Files): Tool<WriteInput> {
  return makeTool<WriteInput>({
    definition: DEFINITION,
    async plan({ input }): Promise<Draft> {
      const bytes = Buffer.from(input.content);
      if (bytes.length > LIMITS.writeBytes.maximum) return refuse(tooLarge(bytes.length));
      const located = await files.locate(input.path);
      if (!located.ok) return refuse(fileRefusal(located.fault));
      const { path, kind } = located.value;
      // A path that can't be hashed is judged all the same, and the run then says why it can't be written: what the
      // file system thinks of a path is nobody's business before a rule allows it.
      const before = kind === "file" ? await files.digest(path) : null;
      const operand = { path, before: before?.ok ? before.value : null, after: digestOfBytes(bytes) };
      return { kind: "drafted", plan: { touches: [{ kind: "write", path }], operands: [operand] } };
    },
    async *run({ input, plan }) {
      const path = judgedPath(plan);
      const written = await files.write(path, Buffer.from(input.content), plan.operands[0]?.before ?? null);
      if (!written.ok) return failedResult(written.fault);
      const text = `File written successfully to ${files.shown(path)} (${written.value.bytes} bytes)`;
      return { kind: "completed", content: [{ type: "text", text }] };
    },
  });
}

const tooLarge = (bytes: number) =>
  fileRefusal({
    code: "FILE_TOO_LARGE",
    message: `the content has ${bytes} bytes, and at most ${LIMITS.writeBytes.maximum} can be written at once`,
    hint: "write it in parts",
  });
