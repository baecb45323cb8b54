import { type Draft, refuse, type Tool } from "../../domain/call.ts";
import { digestOfBytes } from "../../domain/digest.ts";
import { LIMITS } from "../../domain/limits.ts";
import type { InputError } from "../../domain/outcome.ts";
import type { Operand, Preview } from "../../domain/plan.ts";
import { type CheckedPath, type FileResult, type Files, ok, reachedBy } from "../../ports/files.ts";
import { makeTool } from "../make-tool.ts";
import { applyEdits, type Edit } from "./edits.ts";
import { CHANGES } from "./file-effects.ts";
import { changedSince, failedResult, fileRefusal, judgedOperand, judgedPath } from "./file-plan.ts";
import { redactedFault } from "./redacted-content.ts";
import { bytesFromText, readTextFile, type TextFile } from "./text-file.ts";
import { unifiedDiff } from "./unified-diff.ts";
import { inputError, withCheck } from "./with-check.ts";

const DEFINITION = {
  name: "edit_file",
  description:
    "Changes parts of a text file. A `replace` needs an `oldText` that is in the file exactly once; an `insert` puts lines behind the line `line` (0 = at the start). Edits are applied one after the other, all of them or none. Line ends of the file are kept.",
  source: "builtin",
  containment: "process",
  effects: CHANGES,
  timeoutMs: LIMITS.toolTimeoutMs.default,
  inputSchema: {
    type: "object",
    properties: {
      path: { type: "string", minLength: 1, description: "relative to the workspace, or absolute" },
      edits: {
        type: "array",
        minItems: 1,
        maxItems: LIMITS.editCount.maximum,
        description: "applied one after the other, all of them or none",
        items: {
          type: "object",
          properties: {
            type: { enum: ["replace", "insert"], description: "which of the two it is" },
            oldText: { type: "string", minLength: 1, description: "for `replace`: exactly what stands there now" },
            line: { type: "integer", minimum: 0, description: "for `insert`: the line before the new text" },
            newText: { type: "string", description: "what shall stand there" },
          },
          required: ["type", "newText"],
          additionalProperties: false,
        },
      },
    },
    required: ["path", "edits"],
    additionalProperties: false,
  },
} as const;

type EditInput = { readonly path: string; readonly edits: readonly Edit[] };

export function editFileTool(files: Files): Tool<EditInput> {
  const tool = makeTool<EditInput>({
    definition: DEFINITION,
    async plan({ input }): Promise<Draft> {
      const redacted = redactedFault(oldTexts(input.edits), newTexts(input.edits));
      if (redacted) return refuse(fileRefusal(redacted));
      const located = await files.locate(input.path);
      if (!located.ok) return refuse(fileRefusal(located.fault));
      const { path } = located.value;
      const { operand, preview } = await planned(files, path, input.edits);
      return {
        kind: "drafted",
        plan: {
          touches: [
            { kind: "read", path, ...reachedBy(located.value) },
            { kind: "write", path, ...reachedBy(located.value) },
          ],
          operands: [operand],
          ...(preview && { preview }),
        },
      };
    },
    async *run({ input, plan }) {
      const path = judgedPath(plan);
      const edited = await edit(files, path, judgedOperand(plan), input.edits);
      if (!edited.ok) return failedResult(edited.fault);
      const { oldText, newText } = edited.value;
      const shown = files.shown(path);
      const diff = await unifiedDiff({ path: shown, oldText, newText });
      const edits = input.edits.length === 1 ? "1 edit" : `${input.edits.length} edits`;
      return {
        kind: "completed",
        content: [
          { type: "diff", path: shown, diff, oldText, newText },
          { type: "text", text: `File edited successfully: ${shown} (${edits})` },
        ],
      };
    },
  });
  return withCheck(tool, ({ edits = [] }) => edits.flatMap(editErrors));
}

const oldTexts = (edits: readonly Edit[]) => edits.flatMap((edit) => (edit.type === "replace" ? [edit.oldText] : []));
const newTexts = (edits: readonly Edit[]) => edits.map(({ newText }) => newText);

/** Which members an edit has depends on its type. */
function editErrors(edit: Edit | undefined, index: number): InputError[] {
  if (edit === undefined) return [];
  const [needed, foreign] = edit.type === "replace" ? (["oldText", "line"] as const) : (["line", "oldText"] as const);
  const at = `edits[${index}]`;
  const errors: InputError[] = [];
  if (!(needed in edit)) {
    errors.push(
      inputError(`${at}.${needed}`, "required", `\`${at}.${needed}\` is missing: the type \`${edit.type}\` needs it`),
    );
  }
  if (foreign in edit) {
    errors.push(
      inputError(
        `${at}.${foreign}`,
        "mutually_exclusive",
        `\`${at}.${foreign}\` does not go with the type \`${edit.type}\``,
      ),
    );
  }
  if (edit.type === "insert" && edit.newText === "") {
    errors.push(inputError(`${at}.newText`, "min_length", `\`${at}.newText\` has nothing to insert`));
  }
  return errors;
}

interface Planned {
  readonly operand: Operand;
  readonly preview?: Preview;
}

interface Edited {
  readonly oldText: string;
  readonly newText: string;
  readonly bytes: Uint8Array;
}

/**
 * Whether an edit fits tells what is in the file, and that is nobody's business before a rule allows to read it. So one
 * that does not fit is judged all the same, as a change that changes nothing, and the run then says what is wrong.
 */
async function planned(files: Files, path: CheckedPath, edits: readonly Edit[]): Promise<Planned> {
  const file = await readTextFile(files, path);
  if (!file.ok) return { operand: { path, before: null, after: null } };
  const shown = files.shown(path);
  const edited = await editedFrom(file.value, edits, shown);
  const before = file.value.digest;
  if (!edited.ok) return { operand: { path, before, after: before } };
  const { oldText, newText, bytes } = edited.value;
  return {
    operand: { path, before, after: digestOfBytes(bytes) },
    preview: () => unifiedDiff({ path: shown, oldText, newText }),
  };
}

async function edit(
  files: Files,
  path: CheckedPath,
  operand: Operand,
  edits: readonly Edit[],
): Promise<FileResult<Edited>> {
  const shown = files.shown(path);
  const file = await readTextFile(files, path);
  if (!file.ok) return file;
  if (file.value.digest !== operand.before) return changedSince(shown);
  const edited = await editedFrom(file.value, edits, shown);
  if (!edited.ok) return edited;
  const { bytes } = edited.value;
  if (digestOfBytes(bytes) !== operand.after) return changedSince(shown);
  const changed = await files.change([{ path, before: operand.before, content: bytes }]);
  return changed.ok ? edited : changed;
}

async function editedFrom({ text }: TextFile, edits: readonly Edit[], shown: string): Promise<FileResult<Edited>> {
  const applied = await applyEdits(text, edits);
  if (!applied.ok) return applied;
  // Two harmless pieces can make up a mark between them.
  const redacted = redactedFault([text], [applied.value]);
  if (redacted) return { ok: false, fault: redacted };
  const bytes = bytesFromText(applied.value, shown);
  return bytes.ok ? ok({ oldText: text, newText: applied.value, bytes: bytes.value }) : bytes;
}
