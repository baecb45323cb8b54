import { type Draft, refuse, type Tool } from "../../domain/call.ts";
import { LIMITS } from "../../domain/limits.ts";
import type { InputError } from "../../domain/outcome.ts";
import type { RunResult } from "../../domain/tool.ts";
import { visibleLine } from "../../domain/visible.ts";
import type { CheckedPath, DirectoryEntry, FileResult, Files } from "../../ports/files.ts";
import { ok, reachedBy } from "../../ports/files.ts";
import { hiddenBy } from "../../rules/hidden-by.ts";
import { makeTool } from "../make-tool.ts";
import { READS } from "./file-effects.ts";
import { failedResult, fileRefusal, judgedPath } from "./file-plan.ts";
import { globFrom } from "./glob.ts";
import { ignoreFilesAbove, pathsBehindFirst } from "./ignore-files-above.ts";
import { type Walked, walkTree } from "./walk-tree.ts";
import { inputError, type Sound, withCheck } from "./with-check.ts";

const { default: LIMIT, maximum: LIMIT_MAX } = LIMITS.listEntries;

const DEFINITION = {
  name: "list_directory",
  description:
    "Lists a directory, one name on each line, directories with `/` behind them. With `recursive` everything below it, without `.git` and what `.gitignore` files leave out. Links are listed and not followed.",
  source: "builtin",
  containment: "process",
  effects: READS,
  timeoutMs: LIMITS.toolTimeoutMs.default,
  inputSchema: {
    type: "object",
    properties: {
      path: { type: "string", minLength: 1, description: "relative to the workspace, or absolute" },
      recursive: { type: "boolean", description: "list everything below it as well" },
      pattern: {
        type: "string",
        description: "list only what it matches: `*.ts` a name, `src/**` a path below the directory; empty = all",
      },
      limit: {
        type: "integer",
        minimum: 1,
        maximum: LIMIT_MAX,
        description: `entries at the most, ${LIMIT} if not given`,
      },
    },
    required: ["path"],
    additionalProperties: false,
  },
} as const;

type ListInput = {
  readonly path: string;
  readonly recursive?: boolean;
  readonly pattern?: string;
  readonly limit?: number;
};

export function listDirectoryTool(files: Files): Tool<ListInput> {
  const tool = makeTool<ListInput>({
    definition: DEFINITION,
    async plan({ input }): Promise<Draft> {
      const located = await files.locate(input.path);
      if (!located.ok) return refuse(fileRefusal(located.fault));
      const { path } = located.value;
      if (!input.recursive)
        return {
          kind: "drafted",
          plan: { touches: [{ kind: "read", path, ...reachedBy(located.value), names: true }], operands: [] },
        };
      const above = await ignoreFilesAbove(files, path);
      const touches = [{ kind: "read", path, ...reachedBy(located.value), tree: true }, ...above] as const;
      return { kind: "drafted", plan: { touches, operands: [] } };
    },
    async *run({ input, plan, seal }, signal) {
      const list = new List(judgedPath(plan), input);
      const isHidden = hiddenBy(seal.grant.hide, plan.workspace);
      const walked = input.recursive
        ? await walkTree(files, list.root, {
            isHidden,
            ignoreFilesAbove: pathsBehindFirst(plan),
            signal,
            visit: list.visit,
          })
        : await listFlat(files, list, isHidden);
      if (signal.aborted) return { kind: "stopped" };
      return walked.ok ? list.result(walked.value) : failedResult(walked.fault);
    },
  });
  return withCheck(tool, patternErrors);
}

/** Elsewhere braces are alternatives; taken for themselves here, they would silently match nothing. */
const patternErrors = ({ pattern = "" }: Sound<ListInput>): readonly InputError[] =>
  /[{}]/.test(pattern)
    ? [
        inputError(
          "pattern",
          "format",
          "`pattern` has braces, which have no meaning here; make a call for each alternative",
        ),
      ]
    : [];

async function listFlat(files: Files, list: List, isHidden: (path: string) => boolean): Promise<FileResult<Walked>> {
  const listed = await files.list(list.root);
  if (!listed.ok) return listed;
  const { entries, truncated, unnamed } = listed.value;
  const isCut = entries.some((entry) => !isHidden(entry.path) && list.visit(entry) === "stop");
  return ok({ isCut: isCut || truncated, left: unnamed });
}

/** What is going to be answered. */
class List {
  readonly root: CheckedPath;
  readonly #limit: number;
  readonly #matches: (path: string) => boolean;
  readonly #entries: { name: string; kind: DirectoryEntry["kind"]; bytes: number }[] = [];

  constructor(root: CheckedPath, { pattern = "", limit = LIMIT }: ListInput) {
    this.root = root;
    this.#limit = limit;
    this.#matches = pattern === "" ? () => true : globFrom(pattern).matches;
  }

  readonly visit = ({ path, kind, bytes }: DirectoryEntry): "go on" | "stop" => {
    const name = path.slice(this.root === "/" ? 1 : this.root.length + 1);
    if (!this.#matches(name)) return "go on";
    if (this.#entries.length === this.#limit) return "stop";
    this.#entries.push({ name, kind, bytes });
    return "go on";
  };

  result({ isCut, left }: Walked): RunResult {
    const lines = this.#entries.map(({ name, kind }) => `${visibleLine(name)}${kind === "directory" ? "/" : ""}`);
    if (isCut)
      lines.push(`[cut: there is more than these ${lines.length} entries; narrow it down by \`path\` or \`pattern\`]`);
    if (left > 0) lines.push(`[left out: ${left} that could not be listed]`);
    return {
      kind: "completed",
      content: [{ type: "text", text: lines.join("\n") }],
      structured: { entries: this.#entries, truncated: isCut },
    };
  }
}
