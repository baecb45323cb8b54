import type { Plan } from "../../domain/plan.ts";
import { type FileTouch, isFileTouch } from "../../domain/touch.ts";
import type { CheckedPath, Files } from "../../ports/files.ts";

/**
 * The `.gitignore` files above a folder that is searched or listed as a whole: touches of their own.
 * From the workspace down. A link is not what git reads, so it is none.
 */
export async function ignoreFilesAbove({ locate, workspace }: Files, path: CheckedPath): Promise<readonly FileTouch[]> {
  const touches: FileTouch[] = [];
  for (let at = workspace.length; at !== -1 && path.startsWith(`${workspace}/`); at = path.indexOf("/", at + 1)) {
    const raw = `${path.slice(0, at)}/.gitignore`;
    const located = await locate(raw);
    if (located.ok && located.value.kind === "file" && located.value.path === raw)
      touches.push({ kind: "read", path: raw });
  }
  return touches;
}

/** The other end of it: which they were, once the plan is judged. */
export const pathsBehindFirst = ({ touches: [, ...others] }: Plan): readonly CheckedPath[] =>
  others.filter(isFileTouch).map(({ path }) => path as CheckedPath);
