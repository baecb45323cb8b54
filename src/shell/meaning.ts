import type { Candidate, ScriptReader } from "./script-reader.ts";

/** Reads one kind of command. `interpret` is given along, for what the command carries. */
export type Meaning = (
  reader: ScriptReader,
  candidate: Candidate,
  interpret: (reader: ScriptReader, candidate: Candidate) => void,
) => void;

const ALIASES: Readonly<Record<string, string>> = {
  gawk: "awk",
  mawk: "awk",
  nawk: "awk",
  gsed: "sed",
  egrep: "grep",
  fgrep: "grep",
  zgrep: "grep",
  gfind: "find",
  gxargs: "xargs",
  genv: "env",
  gtimeout: "timeout",
  gmake: "make",
  gtar: "tar",
  pip3: "pip",
  python3: "python",
  rbash: "bash",
};

/** The name that the tables know a program by: without its folder, and without the version that it carries in its name. */
export function programName(text: string): string {
  const base = text.slice(text.lastIndexOf("/") + 1);
  const known = ALIASES[base];
  if (known !== undefined && Object.hasOwn(ALIASES, base)) return known;
  const plain = base.replace(/-?\d+(?:\.\d+)*$/, "");
  return plain === "" || plain === base ? base : NUMBERED.has(plain) ? plain : base;
}

/** Programs of which several versions are installed side by side. */
const NUMBERED: ReadonlySet<string> = new Set(
  "python pypy node perl ruby php lua luajit gcc cc g++ clang clang++ pip awk bash tclsh julia vim emacs".split(" "),
);
