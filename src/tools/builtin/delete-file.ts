import { type Draft, refuse, type Tool } from "../../domain/call.ts";
import { LIMITS } from "../../domain/limits.ts";
import { type Files, reachedBy } from "../../ports/files.ts";
import { makeTool } from "../make-tool.ts";
import { DELETES } from "./file-effects.ts";
import { failedResult, fileRefusal, judgedOperand, judgedPath, MAY_BE_FILE } from "./file-plan.ts";

const DEFINITION = {
  name: "delete_file",
  description:
    "Deletes a file. Directories are not deleted. A link is followed: judged and deleted is the file that it leads to, and the link stays.",
  source: "builtin",
  containment: "process",
  effects: DELETES,
  timeoutMs: LIMITS.toolTimeoutMs.default,
  inputSchema: {
    type: "object",
    properties: {
      path: { type: "string", minLength: 1, description: "relative to the workspace, or absolute" },
    },
    required: ["path"],
    additionalProperties: false,
  },
} as const;

type DeleteInput = { readonly path: string };

export function deleteFileTool(files: Files): Tool<DeleteInput> {
  return makeTool<DeleteInput>({
    definition: DEFINITION,
    async plan({ input }): Promise<Draft> {
      const located = await files.locate(input.path);
      if (!located.ok) return refuse(fileRefusal(located.fault));
      const { path, kind } = located.value;
      const before = MAY_BE_FILE.has(kind) ? await files.digest(path) : null;
      const operand = { path, before: before?.ok ? before.value : null, after: null };
      return {
        kind: "drafted",
        plan: { touches: [{ kind: "delete", path, ...reachedBy(located.value) }], operands: [operand] },
      };
    },
    async *run({ plan }) {
      const path = judgedPath(plan);
      const deleted = await files.change([{ path, before: judgedOperand(plan).before, content: null }]);
      if (!deleted.ok) return failedResult(deleted.fault);
      return { kind: "completed", content: [{ type: "text", text: `File deleted: ${files.shown(path)}` }] };
    },
  });
}
