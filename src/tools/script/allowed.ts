import { isWithin } from "../../domain/is-within.ts";
import type { Refusal } from "../../domain/outcome.ts";
import type { Grant } from "../../domain/plan.ts";
import { isFileTouch, type Touch } from "../../domain/touch.ts";
import { quoted } from "../../domain/visible.ts";
import type { Files } from "../../ports/files.ts";
import { literalPattern } from "../../rules/path-component.ts";
import { compilePathPattern, type PathPattern } from "../../rules/path-pattern.ts";
import { common, coversPath } from "../../rules/pattern-algebra.ts";

/** The first command of a call that `allowed_commands` does not name. The shell's own start nothing. */
export function notAllowedCommand(touches: readonly Touch[], allowed: readonly string[]): Refusal | null {
  for (const touch of touches) {
    if (touch.kind === "unknown" && !ABOUT_FILES.test(touch.reason)) return refusal(touch.reason, allowed);
    if (touch.kind !== "exec") continue;
    const names = [touch.argv, ...(touch.via ?? [])].map(([first]) => first?.text ?? "");
    const odd = touch.origin === "shell" ? undefined : names.find((name) => !allowed.includes(name));
    if (odd !== undefined) return refusal(`it would run ${quoted(odd)}`, allowed);
  }
  return null;
}

/** What can't be read of files is for `allowed_paths` and the rules; anything else may be a command. */
const ABOUT_FILES = /^a file is |^it can't be told which file/;

const refusal = (why: string, allowed: readonly string[]): Refusal => ({
  code: "COMMAND_NOT_ALLOWED",
  stage: "plan",
  message: `the tool may run its \`allowed_commands\` only, and ${why}`,
  hint: `they are ${allowed.map((name) => `\`${name}\``).join(", ")}`,
});

/** `allowed_paths` as they are on this machine: absolute, free of links. */
export async function allowedFolders(allowed: readonly string[], files: Files): Promise<readonly string[]> {
  const located = await Promise.all(allowed.map((path) => files.locate(path)));
  return located.flatMap((one) => (one.ok ? [one.value.path] : []));
}

/** Compared by component: `/workspace` says nothing about `/workspace-evil`. */
export function notAllowedPath(touches: readonly Touch[], folders: readonly string[], files: Files): Refusal | null {
  const odd = touches
    .filter(isFileTouch)
    .find(({ path, own }) => own !== true && !folders.some((folder) => isWithin(path, folder)));
  if (odd === undefined) return null;
  return {
    code: "PATH_NOT_ALLOWED",
    stage: "plan",
    message: `\`${files.shown(odd.path)}\` is in none of the tool's \`allowed_paths\``,
    hint: "use a path inside of them",
  };
}

/** What a program sees is cut down as well: it opens files by names that nobody could judge. */
export function cutToFolders(grant: Grant, folders: readonly string[], workspace: string): Grant {
  const inside = folders.flatMap((folder) => compiled(literalPattern(folder), workspace));
  const cut = (texts: readonly string[]): readonly string[] =>
    common(
      texts.flatMap((text) => {
        const pattern = compilePathPattern(text, workspace);
        return "error" in pattern ? [] : [pattern];
      }),
      inside,
      coversPath,
    ).map(({ text }) => text);
  return { ...grant, read: cut(grant.read), write: cut(grant.write) };
}

function compiled(folder: string, workspace: string): readonly PathPattern[] {
  const patterns = [folder, folder === "/" ? "/**" : `${folder}/**`].map((text) => compilePathPattern(text, workspace));
  return patterns.filter((pattern) => !("error" in pattern)) as readonly PathPattern[];
}
