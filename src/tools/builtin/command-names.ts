import { posix } from "node:path";
import { setImmediate as turn } from "node:timers/promises";
import type { Files, Located } from "../../ports/files.ts";
import type { Programs } from "../../ports/programs.ts";
import type { FoundProgram, Names } from "../../shell/command-touches.ts";
import type { Reading } from "../../shell/reading.ts";

interface Place {
  readonly cwd: string;
  /** Left out = no file is in a folder of the sandbox's own. */
  readonly ownPath?: NonNullable<Names["ownPath"]>;
  readonly files: Files;
  readonly programs: Programs;
}

/** A millisecond's worth or two. */
const NAMES_AT_ONCE = 32;

/** Looks up every program and file that a reading names, once each. There may be very many: others go in between. */
export async function commandNames(reading: Reading, { cwd, files, programs, ownPath }: Place): Promise<Names> {
  const found = new Map<string, FoundProgram>();
  const paths = new Map<string, Pick<Located, "path" | "links"> | null>();
  let lookedUp = 0;
  const looksUp = async (): Promise<void> => {
    if (++lookedUp % NAMES_AT_ONCE === 0) await turn();
  };
  const folderOf = (folder: string): string => posix.resolve(cwd, folder);
  for (const { argv, via, folders } of reading.commands) {
    for (const word of [argv, ...via].map(([first]) => first?.text ?? "")) {
      for (const folder of folders ?? [""]) {
        const key = programKey(word, folder);
        if (found.has(key)) continue;
        found.set(key, await programOf(word, folderOf(folder), programs));
        await looksUp();
      }
    }
  }
  for (const file of reading.files) {
    const { path, folders, below } = file;
    if (below !== undefined) continue;
    for (const folder of folders ?? (path.startsWith("/") ? [""] : [])) {
      if (ownPath !== undefined && ownPath(file, folder) !== null) continue;
      const key = keyOf(path, folder);
      if (paths.has(key)) continue;
      paths.set(key, await locatedOrNull(joined(folderOf(folder), path), files));
      await looksUp();
    }
  }
  const { workspace } = files;
  return {
    program: (word, folder) => found.get(programKey(word, folder)) ?? { program: null, origin: "nowhere" },
    path: (path, folder) => paths.get(keyOf(path, folder))?.path ?? null,
    links: (path, folder) => paths.get(keyOf(path, folder))?.links,
    ...(ownPath && { ownPath }),
    isInWorkspace: (path) => path === workspace || path.startsWith(workspace === "/" ? "/" : `${workspace}/`),
  };
}

/** A program's bare name and an absolute path mean the same in every folder. */
const keyOf = (name: string, folder: string): string => (name.startsWith("/") ? name : `${folder}\0${name}`);

const programKey = (word: string, folder: string): string => (word.includes("/") ? keyOf(word, folder) : word);

/** Not shortened: `link/..` is what the kernel makes of it. */
const joined = (folder: string, path: string): string => (path.startsWith("/") ? path : `${folder}/${path}`);

async function programOf(word: string, cwd: string, programs: Programs): Promise<FoundProgram> {
  const program = await programs.resolve(word, cwd);
  if (program === null) return { program: null, origin: "nowhere" };
  return { program: program.path, origin: program.toolchain ? "toolchain" : "elsewhere" };
}

async function locatedOrNull(path: string, files: Files): Promise<Located | null> {
  const located = await files.locate(path);
  return located.ok ? located.value : null;
}
