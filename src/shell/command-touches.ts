import type { ExecTouch, ProgramOrigin, Touch, Word } from "../domain/touch.ts";
import { BUILTINS } from "./builtins.ts";
import type { FoundCommand, FoundFile, Reading } from "./reading.ts";

/** The file behind a command's first word, and whether it may be called by its bare name. */
export interface FoundProgram {
  readonly program: string | null;
  readonly origin: ProgramOrigin;
}

/** Who knows the machine. `folder` is relative to where the script begins. */
export interface Names {
  readonly program: (word: string, folder: string) => FoundProgram;
  /** Canonical; null = it can't name a file. */
  readonly path: (path: string, folder: string) => string | null;
  /** The names of links that the path leads through: `FileTouch.links`. Left out = there are none. */
  readonly links?: (path: string, folder: string) => readonly string[] | undefined;
  readonly isInWorkspace: (path: string) => boolean;
  /** Where in the sandbox's own `/tmp`, home or `/proc` the file is; null = it is a file of the machine. Left out = all are. */
  readonly ownPath?: (file: FoundFile, folder: string) => string | null;
}

const NOWHERE: FoundProgram = { program: null, origin: "nowhere" };
const OF_SHELL: FoundProgram = { program: null, origin: "shell" };

/** What a reading touches. INVARIANT (touches): at least one; what can't be named is `unknown`. */
export function touchesOf(reading: Reading, names: Names): readonly [Touch, ...Touch[]] {
  const touches: Touch[] = [];
  for (const command of reading.commands) addCommand(touches, command, reading, names);
  for (const file of reading.files) addFile(touches, file, names);
  for (const { host, port, scheme } of reading.connections) touches.push({ kind: "connect", host, port, scheme });
  for (const reason of reading.unknown) touches.push({ kind: "unknown", reason });
  if (touches.length === 0) return [NOTHING];
  // INVARIANT (touches): there is one, and the first of its kind stays.
  return (touches.length > 1 ? distinct(touches) : touches) as readonly Touch[] as readonly [Touch, ...Touch[]];
}

/** A script of assignments and tests runs no command: the shell's own one that does nothing stands for it. */
const NOTHING: Touch = { kind: "exec", ...OF_SHELL, argv: [{ text: ":", known: true }] };

function addCommand(touches: Touch[], command: FoundCommand, reading: Reading, names: Names): void {
  const { argv, env, folders, external, via } = command;
  const word = (argv[0] as Word).text;
  for (const folder of placesFor(word, folders)) {
    const found = folder === null ? NOWHERE : programOf(word, folder, external, names);
    // Not there, so it can be nothing but the function of that name, and that was read.
    if (found.origin === "nowhere" && reading.functions.has(word)) continue;
    const touch: ExecTouch = { kind: "exec", program: found.program, origin: found.origin, argv };
    const isPlain = env.length === 0 && via.length === 0;
    touches.push(isPlain ? touch : { ...touch, ...(env.length > 0 && { env }), ...(via.length > 0 && { via }) });
  }
  for (const carrier of via) addCarrier(touches, carrier, command, names);
}

/** A carrier is passed over only if it is the real one. */
function addCarrier(touches: Touch[], argv: readonly Word[], { folders }: FoundCommand, names: Names): void {
  const word = (argv[0] as Word).text;
  for (const folder of placesFor(word, folders)) {
    const found = folder === null ? NOWHERE : programOf(word, folder, false, names);
    if (found.origin !== "toolchain" && found.origin !== "shell")
      touches.push({ kind: "exec", ...found, argv } satisfies ExecTouch);
  }
}

const ANYWHERE = [""] as const;
const UNTOLD = [null] as const;

/** Where a name has to be looked up; null = nobody can tell. Only a relative path depends on the folder. */
const placesFor = (name: string, folders: FoundCommand["folders"]): readonly (string | null)[] =>
  !name.includes("/") || name.startsWith("/") ? ANYWHERE : (folders ?? UNTOLD);

function programOf(word: string, folder: string, external: boolean, names: Names): FoundProgram {
  if (!external && BUILTINS.has(word)) return OF_SHELL;
  return names.program(word, folder);
}

const SHOWN_ONLY = /^\/dev\/(?:null|stdin|stdout|stderr|tty|fd\/\d+)$/;

function addFile(touches: Touch[], file: FoundFile, names: Names): void {
  const { kind, path, folders, by, below } = file;
  if (by === "operand" && SHOWN_ONLY.test(path)) return;
  const places = path.startsWith("/") || below !== undefined ? ANYWHERE : (folders ?? UNTOLD);
  for (const folder of places) {
    const own = folder === null ? null : (names.ownPath?.(file, folder) ?? null);
    if (own !== null) {
      // What a program reads of its own is nobody's business.
      if (by !== "operand" || kind !== "read") touches.push({ kind, path: own, own: true });
      continue;
    }
    if (below !== undefined) {
      touches.push({ kind: "unknown", reason: `a file is opened whose name is known only at run time: \`${path}\`` });
      continue;
    }
    const canonical = folder === null ? null : names.path(path, folder);
    const links = folder === null ? undefined : names.links?.(path, folder);
    if (canonical === null) touches.push({ kind: "unknown", reason: `it can't be told which file \`${path}\` is` });
    // What a program reads of the workspace it was let into already; beyond, it has to be said.
    else if (by !== "operand" || kind !== "read" || !names.isInWorkspace(canonical))
      touches.push({ kind, path: canonical, ...(links !== undefined && { links }) });
  }
}

/** The same thing once: a loop's command stands in a script twice, and a list of eight hundred is no longer compared. */
function distinct(touches: readonly Touch[]): readonly Touch[] {
  for (let index = 1; index < touches.length; index++)
    if (isRepeated(touches, index, touches[index] as Touch))
      return touches.filter((touch, at) => at < index || !isRepeated(touches, at, touch));
  return touches;
}

function isRepeated(touches: readonly Touch[], index: number, touch: Touch): boolean {
  for (let earlier = Math.max(0, index - COMPARED_MAX); earlier < index; earlier++)
    if (isSame(touches[earlier] as Touch, touch)) return true;
  return false;
}

const COMPARED_MAX = 50;

function isSame(a: Touch, b: Touch): boolean {
  if (a.kind !== b.kind) return false;
  if (a.kind === "exec" && b.kind === "exec") {
    if (a.argv.length !== b.argv.length || a.program !== b.program) return false;
    for (let at = 0; at < a.argv.length; at++) if (a.argv[at]?.text !== b.argv[at]?.text) return false;
  }
  return JSON.stringify(a) === JSON.stringify(b);
}
