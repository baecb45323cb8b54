import { type Draft, refuse, type Tool } from "../../domain/call.ts";
import { LIMITS } from "../../domain/limits.ts";
import { type Files, reachedBy } from "../../ports/files.ts";
import { CHANGES, READS } from "../builtin/file-effects.ts";
import { fileRefusal, folderTouches, judgedPath } from "../builtin/file-plan.ts";
import { redactedFault } from "../builtin/redacted-content.ts";
import { makeTool } from "../make-tool.ts";
import type { AgentLinks } from "./agent-links.ts";
import { byLink } from "./by-link.ts";

const EDITOR_READ = "editor_read_file";
const EDITOR_WRITE = "editor_write_file";

const PATH = { type: "string", minLength: 1, description: "absolute" } as const;

const READ = {
  name: EDITOR_READ,
  description: "Reads a text file as the editor has it, with what is not saved yet.",
  source: "client",
  containment: "client",
  effects: READS,
  timeoutMs: LIMITS.toolTimeoutMs.default,
  inputSchema: { type: "object", properties: { path: PATH }, required: ["path"], additionalProperties: false },
} as const;

const WRITE = {
  name: EDITOR_WRITE,
  description: "Has the editor write a text file, so that it is in its open buffers too.",
  source: "client",
  containment: "client",
  effects: CHANGES,
  timeoutMs: LIMITS.toolTimeoutMs.default,
  inputSchema: {
    type: "object",
    properties: { path: PATH, content: { type: "string", description: "the whole new content" } },
    required: ["path", "content"],
    additionalProperties: false,
  },
} as const;

/** INVARIANT (judged = asked for): the editor is asked for the path of the touch, never for the agent's spelling of it. */
export const editorReadTool = (links: AgentLinks, files: Files): Tool<{ readonly path: string }> =>
  makeTool<{ readonly path: string }>({
    definition: READ,
    plan: async ({ input }): Promise<Draft> => {
      const located = await files.locate(input.path);
      if (!located.ok) return refuse(fileRefusal(located.fault));
      return {
        kind: "drafted",
        plan: { touches: [{ kind: "read", path: located.value.path, ...reachedBy(located.value) }], operands: [] },
      };
    },
    run: (call, signal) => byLink(links, call, (link) => link.read(judgedPath(call.plan), signal)),
  });

type WriteInput = { readonly path: string; readonly content: string };

export const editorWriteTool = (links: AgentLinks, files: Files): Tool<WriteInput> =>
  makeTool<WriteInput>({
    definition: WRITE,
    plan: async ({ input }): Promise<Draft> => {
      const marked = redactedFault([], [input.content]);
      if (marked !== null) return refuse(fileRefusal(marked));
      const located = await files.locate(input.path);
      if (!located.ok) return refuse(fileRefusal(located.fault));
      const { path, kind } = located.value;
      const folders = await folderTouches(files, kind === "unreachable" ? [path] : []);
      if (!folders.ok) return refuse(fileRefusal(folders.fault));
      return {
        kind: "drafted",
        plan: { touches: [{ kind: "write", path, ...reachedBy(located.value) }, ...folders.value], operands: [] },
      };
    },
    run: (call, signal) => byLink(links, call, (link) => link.write(judgedPath(call.plan), call.input.content, signal)),
  });
