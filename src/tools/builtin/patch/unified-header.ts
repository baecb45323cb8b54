import { quoted } from "../../../domain/visible.ts";
import type { PatchLines } from "./patch-lines.ts";
import { patchPathFrom } from "./patch-path.ts";

/** Null = `/dev/null`: there is no file on that side. */
export interface FileHeader {
  readonly oldPath: string | null;
  readonly newPath: string | null;
  readonly executable?: boolean;
}

const GIT = "diff --git ";

export const isFileHeader = (lines: PatchLines): boolean =>
  lines.header.startsWith(GIT) || (lines.header.startsWith("--- ") && lines.headerAfter.startsWith("+++ "));

export function headerFrom(lines: PatchLines): FileHeader {
  if (!lines.header.startsWith(GIT)) return withoutPrefixes(namesFrom(lines), lines);
  const gitNames = lines.header.slice(GIT.length);
  lines.step();
  const extended = extendedFrom(lines);
  const hasNames = lines.header.startsWith("--- ") && lines.headerAfter.startsWith("+++ ");
  const names = hasNames ? withoutPrefixes(namesFrom(lines), lines) : sidesOf(sameName(gitNames), extended);
  const { renameFrom, renameTo, executable } = extended;
  const mode = executable === undefined ? {} : { executable };
  if (renameFrom === undefined && renameTo === undefined) return consistent({ ...names, ...mode }, extended, lines);
  if (renameFrom === undefined || renameTo === undefined)
    throw lines.problem("`rename from` and `rename to` belong together");
  if (hasNames && (names.oldPath !== renameFrom || names.newPath !== renameTo)) {
    throw lines.problem("`rename from` and `rename to` name other files than `---` and `+++`");
  }
  return { oldPath: renameFrom, newPath: renameTo, ...mode };
}

interface Names {
  readonly old: string;
  readonly new: string;
}

/** `--- name` and `+++ name`, each perhaps with a tab and a time behind it. */
function namesFrom(lines: PatchLines): Names {
  return { old: nameFrom(lines), new: nameFrom(lines) };
}

function nameFrom(lines: PatchLines): string {
  const [text = ""] = lines.header.slice(4).split("\t");
  const name = patchPathFrom(text);
  if (name === null) throw lines.problem(`${quoted(text)} is no path`);
  lines.step();
  return name;
}

/** Git calls the sides `a/` and `b/`; without these prefixes both names have to be the same. */
function withoutPrefixes({ old, new: now }: Names, lines: PatchLines): FileHeader {
  const isPrefixed = (old === NO_FILE || old.startsWith("a/")) && (now === NO_FILE || now.startsWith("b/"));
  if (isPrefixed)
    return { oldPath: old === NO_FILE ? null : old.slice(2), newPath: now === NO_FILE ? null : now.slice(2) };
  if (old !== now && old !== NO_FILE && now !== NO_FILE) {
    throw lines.problem(
      `${quoted(old)} and ${quoted(now)} are two files; a move needs \`rename from\` and \`rename to\``,
    );
  }
  return { oldPath: old === NO_FILE ? null : old, newPath: now === NO_FILE ? null : now };
}

const NO_FILE = "/dev/null";

interface Extended {
  renameFrom?: string;
  renameTo?: string;
  isNew?: true;
  isDeleted?: true;
  executable?: boolean;
}

const IGNORED = /^(index [0-9a-f]+\.\.[0-9a-f]+|similarity index \d+%|dissimilarity index \d+%|old mode )/;
const MODES: Readonly<Record<string, boolean>> = { "100644": false, "100755": true };

function extendedFrom(lines: PatchLines): Extended {
  const extended: Extended = {};
  for (; !lines.isDone; lines.step()) {
    const { header } = lines;
    if (header.startsWith("rename from ")) extended.renameFrom = pathOf(header.slice(12), lines);
    else if (header.startsWith("rename to ")) extended.renameTo = pathOf(header.slice(10), lines);
    else if (header.startsWith("new file mode ")) {
      extended.isNew = true;
      // A new file is not made to run unless the patch says so; what it is otherwise is the umask's business.
      if (isExecutable(header.slice(14), lines)) extended.executable = true;
    } else if (header.startsWith("deleted file mode ")) {
      extended.isDeleted = true;
      isExecutable(header.slice(18), lines);
    } else if (header.startsWith("new mode ")) extended.executable = isExecutable(header.slice(9), lines);
    else if (header.startsWith("copy from ") || header.startsWith("copy to "))
      throw lines.problem("copies are not supported");
    else if (header === "GIT binary patch" || header.startsWith("Binary files ")) {
      throw lines.problem("binary files can't be patched");
    } else if (!IGNORED.test(header)) return extended;
  }
  return extended;
}

function isExecutable(mode: string, lines: PatchLines): boolean {
  const executable = MODES[mode];
  if (executable === undefined)
    throw lines.problem(`files of mode ${quoted(mode)} can't be patched (100644 and 100755 can)`);
  return executable;
}

function pathOf(text: string, lines: PatchLines): string {
  const path = patchPathFrom(text);
  if (path === null) throw lines.problem(`${quoted(text)} is no path`);
  return path;
}

/** Of `a/x b/x`, the `x`: the only form that can be read for sure, since names may hold spaces. Null = another form. */
function sameName(gitNames: string): string | null {
  const half = (gitNames.length - 1) / 2;
  const [left, right] = [patchPathFrom(gitNames.slice(0, half)), patchPathFrom(gitNames.slice(half + 1))];
  if (!Number.isInteger(half) || gitNames[half] !== " " || left === null || right === null) return null;
  if (left.startsWith("a/") && right === `b/${left.slice(2)}`) return left.slice(2);
  return left === right ? left : null;
}

/** An empty file, a mode or a mere move has no `---` line. */
function sidesOf(name: string | null, { isNew, isDeleted }: Extended): FileHeader {
  return { oldPath: isNew ? null : name, newPath: isDeleted ? null : name };
}

function consistent(header: FileHeader, { isNew, isDeleted }: Extended, lines: PatchLines): FileHeader {
  if (header.oldPath === null && header.newPath === null) throw lines.problem("the file's name can't be read");
  if (isNew && header.oldPath !== null) throw lines.problem("`new file mode` of a file that was there before");
  if (isDeleted && header.newPath !== null) throw lines.problem("`deleted file mode` of a file that stays");
  return header;
}
