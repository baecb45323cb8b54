import type { Operand } from "../../domain/plan.ts";
import type { ExecTouch, Touch } from "../../domain/touch.ts";
import type { CheckedPath, FileResult, Files } from "../../ports/files.ts";
import { ok } from "../../ports/files.ts";

/** More than a command line of a person names. */
const OPERANDS_MAX = 64;
const FILE_BYTES_MAX = 64 * 1024 * 1024;

/** Programs that run what the files say which they are given. */
const RUNS_FILES =
  /^(?:ba|da|z|k|mk|fi|)sh$|^(?:python|pypy|perl|ruby|php|lua|node|nodejs|deno|bun|tclsh|awk|gawk|make|gmake|Rscript|julia|pwsh|source|\.)[\d.]*$/;

/**
 * The files whose content decides what the command does: programs outside of the toolchains, which tools may change, and
 * scripts that an interpreter is given. What a program loads by itself is bounded by the grant, not by this.
 */
export async function commandOperands(
  touches: readonly Touch[],
  cwd: string,
  files: Files,
  /** Whether a path is in a folder of the sandbox's own, where no file of the machine is. */
  isOwn: (path: string) => boolean = () => false,
): Promise<FileResult<readonly Operand[]>> {
  const paths = new Set<string>();
  for (const touch of touches) {
    if (touch.kind !== "exec") continue;
    if (touch.program !== null && touch.origin === "elsewhere") paths.add(touch.program);
    for (const path of await scriptsOf(touch, cwd, files, isOwn)) paths.add(path);
  }
  const operands: Operand[] = [];
  for (const path of [...paths].slice(0, OPERANDS_MAX)) {
    const digest = await files.digest(path as CheckedPath);
    if (!digest.ok) return digest;
    operands.push({ path, before: digest.value, after: digest.value });
  }
  return ok(operands);
}

async function scriptsOf(
  { argv }: ExecTouch,
  cwd: string,
  files: Files,
  isOwn: (path: string) => boolean,
): Promise<readonly string[]> {
  const [first, ...rest] = argv;
  const name = first?.text.slice(first.text.lastIndexOf("/") + 1) ?? "";
  if (!RUNS_FILES.test(name)) return [];
  const found: string[] = [];
  for (const { text, known } of rest) {
    if (!known || text === "" || text.startsWith("-") || text.length > 4096 || isOwn(text)) continue;
    const located = await files.locate(text.startsWith("/") ? text : `${cwd}/${text}`);
    if (located.ok && located.value.kind === "file" && located.value.bytes <= FILE_BYTES_MAX)
      found.push(located.value.path);
  }
  return found;
}
