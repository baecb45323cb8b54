import { type Draft, refuse, type Tool } from "../../domain/call.ts";
import { LIMITS } from "../../domain/limits.ts";
import type { RunResult } from "../../domain/tool.ts";
import { isFileTouch } from "../../domain/touch.ts";
import type { Clock } from "../../ports/clock.ts";
import { type Files, type HeldPath, reachedBy } from "../../ports/files.ts";
import type { Mount, Sandbox, SandboxFault } from "../../ports/sandbox.ts";
import type { Redactor } from "../../redact/redactor.ts";
import { hiddenBy } from "../../rules/hidden-by.ts";
import { makeTool } from "../make-tool.ts";
import { SEARCHES } from "./file-effects.ts";
import { failedResult, fileRefusal, judgedPath } from "./file-plan.ts";
import { ignoreFilesAbove, pathsBehindFirst } from "./ignore-files-above.ts";
import { Findings } from "./search/findings.ts";
import { CloseLooks, lineLook } from "./search/key-lines.ts";
import { rgArguments } from "./search/rg-arguments.ts";
import { type FindRipgrep, installedRipgrep, NO_RIPGREP } from "./search/ripgrep.ts";
import { Search } from "./search/search.ts";
import { SEARCH_SCHEMA, type SearchInput, searchErrors } from "./search/search-input.ts";
import { withCheck } from "./with-check.ts";

const DEFINITION = {
  name: "search_files",
  description:
    "Searches the lines of files for a text or a regular expression. Answers with `path:line: text`. Passes over `.git`, what `.gitignore` files leave out, binary files, links, other file systems and files of more than 100 MB.",
  source: "builtin",
  containment: "sandbox",
  effects: SEARCHES,
  timeoutMs: LIMITS.toolTimeoutMs.default,
  inputSchema: SEARCH_SCHEMA,
} as const;

export interface SearchPorts {
  readonly files: Files;
  readonly sandbox: Sandbox;
  readonly clock: Clock;
  readonly redactor: Pick<Redactor, "redactCut" | "redactBytes">;
  readonly findRipgrep?: FindRipgrep;
}

/** Where the program lies in its sandbox. No folder that anybody searches is called so. */
const PROGRAM = "/.toolgate-rg";
const OPEN_FILES_MAX = 512;

export function searchFilesTool({
  files,
  sandbox,
  clock,
  redactor,
  findRipgrep = installedRipgrep,
}: SearchPorts): Tool<SearchInput> {
  const tool = makeTool<SearchInput>({
    definition: DEFINITION,
    async plan({ input }): Promise<Draft> {
      const missing = sandbox.missing() ?? ((await findRipgrep()) === null ? NO_RIPGREP : null);
      if (missing !== null) return refuse({ ...missing, stage: "plan" });
      const located = await files.locate(input.path ?? ".");
      if (!located.ok) return refuse(fileRefusal(located.fault));
      const { path, kind } = located.value;
      if (kind === "file")
        return {
          kind: "drafted",
          plan: { touches: [{ kind: "read", path, ...reachedBy(located.value) }], operands: [] },
        };
      const above = await ignoreFilesAbove(files, path);
      return {
        kind: "drafted",
        plan: { touches: [{ kind: "read", path, ...reachedBy(located.value), tree: true }, ...above], operands: [] },
      };
    },
    async *run({ input, plan, seal }, signal) {
      const [root, touch] = [judgedPath(plan), plan.touches[0]];
      const kind = isFileTouch(touch) && touch.tree ? "directory" : "file";
      using held = new DisposableStack();
      const tree = await files.hold(root, kind);
      if (!tree.ok) return failedResult(tree.fault);
      held.use(tree.value);
      const ignoreFiles = await heldIgnoreFiles(pathsBehindFirst(plan));
      for (const file of ignoreFiles) held.use(file);

      const program = await findRipgrep();
      if (program === null) return faultResult(NO_RIPGREP);
      const place = { root, workspace: plan.workspace, hide: seal.grant.hide };
      const closeLooks = new CloseLooks();
      const search = new Search({
        input,
        root,
        isHidden: hiddenBy(seal.grant.hide, plan.workspace),
        findings: new Findings({
          matchesMax: input.limit ?? LIMITS.searchMatches.default,
          bytesMax: input.limitBytes ?? LIMITS.searchBytes.default,
          shown: files.shown,
          redactor,
          lookInto: (path) => lineLook(files, redactor, path, closeLooks),
        }),
      });
      return await search.run(
        sandbox.start(
          {
            argv: [PROGRAM, ...rgArguments(input, place)],
            mounts: [{ kind: "installed", path: program, at: PROGRAM }, ...[tree.value, ...ignoreFiles].map(mountOf)],
            limits: { memoryBytes: LIMITS.searchMemoryBytes.default, openFiles: OPEN_FILES_MAX },
          },
          signal,
        ),
        clock,
        signal,
      );
    },
  });
  /** One that has gone, or is no file any more, leaves nothing out. */
  const heldIgnoreFiles = async (paths: ReturnType<typeof pathsBehindFirst>): Promise<readonly HeldPath[]> => {
    const found = await Promise.all(paths.map((path) => files.hold(path, "file")));
    return found.flatMap((held) => (held.ok ? [held.value] : []));
  };
  return withCheck(tool, searchErrors);
}

const mountOf = (held: HeldPath): Mount => ({ kind: "held", held });

const faultResult = (fault: SandboxFault): RunResult => failedResult(fault);
