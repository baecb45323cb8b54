import { LIMITS } from "../../../domain/limits.ts";
import { parseCodex } from "./parse-codex.ts";
import { parseUnified } from "./parse-unified.ts";
import { type FilePatch, PatchProblem } from "./patch.ts";
import { PatchLines } from "./patch-lines.ts";

export type ParsedPatch =
  | { readonly ok: true; readonly files: readonly FilePatch[] }
  | { readonly ok: false; readonly message: string };

/**
 * Reads a patch: the Codex grammar if it begins with its first line, else a unified diff. Strict, and a line that it
 * does not understand is an error: a patch of which a part gets lost is worse than none.
 */
export function parsePatch(patch: string): ParsedPatch {
  try {
    const lines = new PatchLines(patch);
    lines.skipBlank();
    const files = lines.header === BEGIN ? parseCodex(lines) : parseUnified(lines);
    if (files.length === 0) throw lines.problem("the patch changes no file");
    if (files.length > LIMITS.patchFiles.maximum) {
      throw lines.problem(
        `the patch changes ${files.length} files, and at most ${LIMITS.patchFiles.maximum} are possible`,
      );
    }
    return { ok: true, files };
  } catch (error) {
    if (!(error instanceof PatchProblem)) throw error;
    return { ok: false, message: `line ${error.patchLine} of the patch: ${error.message}` };
  }
}

const BEGIN = "*** Begin Patch";
