import { setImmediate } from "node:timers/promises";
import { type Draft, refuse, type Tool } from "../../domain/call.ts";
import { LIMITS } from "../../domain/limits.ts";
import type { InputError } from "../../domain/outcome.ts";
import type { RunResult } from "../../domain/tool.ts";
import { visibleLine } from "../../domain/visible.ts";
import type { Files } from "../../ports/files.ts";
import { makeTool } from "../make-tool.ts";
import { PATCHES } from "./file-effects.ts";
import { failedResult, fileRefusal, folderTouches, judgedFolders } from "./file-plan.ts";
import { parsePatch } from "./patch/parse-patch.ts";
import type { FilePatch } from "./patch/patch.ts";
import { changesFrom, operandsOf, type Patched, patchAll } from "./patch/patched.ts";
import { locateWorks, newPaths, touchesOf, type Work, worksFrom } from "./patch/work.ts";
import { redactedFault } from "./redacted-content.ts";
import { unifiedDiff } from "./unified-diff.ts";
import { inputError, type Sound, withCheck } from "./with-check.ts";

const DEFINITION = {
  name: "apply_patch",
  description:
    "Applies a patch to one or more text files, all of them or none: a unified diff (as of `git diff`) or a patch from `*** Begin Patch` to `*** End Patch`. It may add, change, move and delete files. The old lines have to match exactly; a hunk whose line numbers are off is applied where its old lines stand, if that is a single place. Folders of the workspace that are not there are created.",
  source: "builtin",
  containment: "process",
  effects: PATCHES,
  timeoutMs: LIMITS.toolTimeoutMs.default,
  inputSchema: {
    type: "object",
    properties: {
      patch: { type: "string", minLength: 1, description: "the patch; paths in it are relative to the workspace" },
    },
    required: ["patch"],
    additionalProperties: false,
  },
} as const;

type PatchInput = { readonly patch: string };

export function applyPatchTool(files: Files): Tool<PatchInput> {
  const tool = makeTool<PatchInput>({
    definition: DEFINITION,
    async plan({ input }): Promise<Draft> {
      const patches = filesOf(input);
      const redacted = redactedFault(removedTexts(patches), addedTexts(patches));
      if (redacted) return refuse(fileRefusal(redacted));
      const works = await locateWorks(files, patches);
      if (!works.ok) return refuse(fileRefusal(works.fault));
      const folders = await folderTouches(files, newPaths(works.value));
      if (!folders.ok) return refuse(fileRefusal(folders.fault));
      const patched = await patchAll(files, works.value);
      const touches = [...touchesOf(works.value), ...folders.value] as const;
      return { kind: "drafted", plan: { touches, operands: operandsOf(works.value, patched) } };
    },
    async *run({ input, plan }) {
      const works = worksFrom(filesOf(input), plan.operands);
      const patched = await patchAll(files, works);
      const changes = changesFrom(files, works, patched, plan.operands);
      if (!changes.ok) return failedResult(changes.fault);
      const changed = await files.change(
        changes.value.map((change) => ({ ...change, folders: judgedFolders(plan, change.path) })),
      );
      return changed.ok ? await completed(files, works, patched) : failedResult(changed.fault);
    },
  });
  return withCheck(tool, patchErrors);
}

function patchErrors({ patch }: Sound<PatchInput>): readonly InputError[] {
  if (patch === undefined) return [];
  const bytesMax = LIMITS.patchBytes.maximum;
  if (Buffer.byteLength(patch) > bytesMax) {
    return [inputError("patch", "max_size", `\`patch\` has more than ${bytesMax} bytes`)];
  }
  const parsed = parsePatch(patch);
  return parsed.ok ? [] : [inputError("patch", "format", parsed.message)];
}

function filesOf({ patch }: PatchInput): readonly FilePatch[] {
  const parsed = parsePatch(patch);
  if (!parsed.ok) throw new TypeError("a patch that was not checked");
  return parsed.files;
}

const textsOf = (patches: readonly FilePatch[], wanted: "add" | "remove"): readonly string[] =>
  patches
    .flatMap((file) =>
      file.kind === "add" ? [] : (file.hunks ?? []).flatMap(({ lines }) => lines.filter(({ kind }) => kind === wanted)),
    )
    .map(({ text }) => text);

const removedTexts = (patches: readonly FilePatch[]) => textsOf(patches, "remove");

const addedTexts = (patches: readonly FilePatch[]) => [
  ...textsOf(patches, "add"),
  ...patches.flatMap((file) => (file.kind === "add" ? [file.content] : [])),
];

/** A deleted file is named and not shown: deleting does not mean that its content may be read. */
async function completed(files: Files, works: readonly Work[], patched: readonly Patched[]): Promise<RunResult> {
  const diffs = [];
  for (const [i, { source, target }] of works.entries()) {
    const { oldText = null, newText = null } = patched[i]?.texts ?? {};
    if (target === null || newText === null) continue;
    const path = files.shown(target);
    const oldPath = files.shown(source ?? target);
    await setImmediate(); // each takes its time
    const diff = await unifiedDiff({ path, oldPath, oldText, newText, of: works.length });
    diffs.push({ type: "diff" as const, path, diff, ...(oldText !== null && { oldText }), newText });
  }
  const count = works.length === 1 ? "1 file" : `${works.length} files`;
  const text = [`Patch applied to ${count}:`, ...works.map((work) => workInWords(files, work))].join("\n");
  return { kind: "completed", content: [...diffs, { type: "text", text }] };
}

/** In the letters of `git status`. */
function workInWords(files: Files, { source, target }: Work): string {
  const [from, to] = [source, target].map((path) => (path === null ? null : visibleLine(files.shown(path))));
  if (from === null) return `A ${to}`;
  if (to === null) return `D ${from}`;
  return from === to ? `M ${to}` : `R ${from} -> ${to}`;
}
