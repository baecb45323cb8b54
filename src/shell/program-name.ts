/** Other names of programs that the tables know. */
export const ALIASES: ReadonlyMap<string, string> = new Map([
  ["gawk", "awk"],
  ["mawk", "awk"],
  ["nawk", "awk"],
  ["original-awk", "awk"],
  ["goawk", "awk"],
  ["gsed", "sed"],
  ["egrep", "grep"],
  ["fgrep", "grep"],
  ["zgrep", "grep"],
  ["gfind", "find"],
  ["gxargs", "xargs"],
  ["genv", "env"],
  ["gtimeout", "timeout"],
  ["gmake", "make"],
  ["gtar", "tar"],
  ["rbash", "bash"],
  ["fdfind", "fd"],
  ["batcat", "bat"],
  ["vimdiff", "vim"],
  ["vimx", "vim"],
  ["gvim", "vim"],
  ["gvimdiff", "vim"],
  ["rvim", "vim"],
  ["rgvim", "vim"],
  ["evim", "vim"],
  ["gview", "view"],
  ["rview", "view"],
  ["rgview", "view"],
]);

/** Programs of which several versions are installed side by side. */
const NUMBERED: ReadonlySet<string> = new Set(
  "python pypy node perl ruby php lua luajit gcc cc g++ clang clang++ pip awk bash tclsh julia vim emacs ipython guile lldb gpg".split(
    " ",
  ),
);

/** `ld-linux-x86-64.so.2`, `ld-musl-armhf.so.1`, `ld64.so.2`: what starts every program, and starts what it is told to. */
const LOADER = /^ld(?:64|-[\w.-]+)?\.so\.\d+$/;

/** The name that the tables know a program by: without its folder, and without the version that it carries in its name. */
export function programName(text: string): string {
  const base = text.includes("/") ? text.slice(text.lastIndexOf("/") + 1) : text;
  const alias = ALIASES.get(base);
  if (alias !== undefined) return alias;
  const last = base.charCodeAt(base.length - 1);
  if (last < 0x30 || last > 0x39) return base;
  if (LOADER.test(base)) return "ld.so";
  const plain = base.replace(/-?\d+(?:\.\d+)*$/, "");
  return NUMBERED.has(plain) ? plain : base;
}
