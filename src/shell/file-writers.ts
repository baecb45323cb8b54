import type { Redirection } from "unbash";
import type { FlowingWord } from "./flow-uses.ts";
import { programName } from "./program-name.ts";
import { isCarrier } from "./slot-commands.ts";
import { headOf, type Shape, shapeOf } from "./word-shape.ts";

/** Programs that write to files which they are given the names of, in whatever option or operand. */
const WRITERS: ReadonlySet<string> = new Set(
  `tee sponge cp mv ln install dd rsync scp sort shuf uniq split csplit truncate curl wget tar unzip zip gzip gunzip bzip2 xz zstd
  xxd openssl gpg tree iconv pandoc convert magick gcc cc g++ clang ld as rustc ffmpeg link rename`.split(/\s+/),
);

/** Those among them that copy, so that a file has another path afterwards. */
const COPIES: ReadonlySet<string> = new Set("cp mv ln install rsync scp dd link rename".split(" "));

/** They name what they make themselves, and read what others include. */
export const COMPILES = /^(?:gcc|cc|g\+\+|c\+\+|clang(?:\+\+)?|ld|as|javac|rustc)$/;

/** Programs whose files are named by what they are given, and nowhere else. */
const UNPACKS = /^(?:ar|python|tar|unzip|git|patch|wget|curl|cpio|7z|7za|unrar|split|csplit|rsync|scp)$/;

/** Programs that don't change the folder that the script works in. */
const MOVES: ReadonlySet<string> = new Set(["cd", "pushd", "popd"]);

export const isCopying = (called: string, words: readonly FlowingWord[]): boolean =>
  COPIES.has(called) ||
  MOVES.has(called) ||
  (isCarrier(called) && words.some(({ text, isStatic }) => isStatic && COPIES.has(programName(text))));

/** Those whose operands are all written to. */
const WRITES_ALL: ReadonlySet<string> = new Set(
  "tee sponge truncate split csplit gzip gunzip bzip2 xz zstd".split(" "),
);
const PACKS = /^(?:gzip|gunzip|bzip2|xz|zstd)$/;
const OUTPUT = /^(?:-[a-zA-Z]*[oO]|-out|--output.*|--target-directory)$/;
const GLUED_OUTPUT = /^(?:of=|-o|-O|--output[\w-]*=|--target-directory=)/;

/** `-o f`, `--output=f`, `of=f`. */
export const isOutputWord = (words: readonly FlowingWord[], at: number): boolean =>
  OUTPUT.test(words[at - 1]?.text ?? "") || GLUED_OUTPUT.test(headOf(words[at]?.shape ?? []));

/** Which files a command writes what it is given to; `any`: nobody knows. */
export function filesWrittenBy(called: string, words: readonly FlowingWord[]): readonly (Shape | "any")[] {
  // Behind `sudo`, `xargs` or `find -exec` they write the same.
  const inner = words.findIndex(
    ({ text, isStatic }, at) =>
      at > 0 && isStatic && (WRITERS.has(programName(text)) || IN_PLACE.test(programName(text))),
  );
  const carried =
    inner === -1 || !isCarrier(called) ? [] : filesWrittenBy(nameAt(words, inner), uptoEnd(words.slice(inner)));
  const named = words.slice(1).flatMap((word, at) => {
    if (WRITERS.has(called)) return writtenName(called, words, word, at + 1);
    const isWritten =
      isOutputWord(words, at + 1) || (called === "find" && /^-fp?(?:rint|ls)/.test(words[at]?.text ?? ""));
    return isWritten || isChangedInPlace(called, words, word) ? [withoutOption(word.shape)] : [];
  });
  return COMPILES.test(called) || (UNPACKS.test(called) && mayUnpack(called, words))
    ? [...carried, ...named, "any"]
    : [...carried, ...named];
}

/** The command of `find -exec` ends before the search does. */
const uptoEnd = (words: readonly FlowingWord[]): readonly FlowingWord[] => {
  const end = words.findIndex(({ text, isStatic }) => isStatic && (text === ";" || text === "+"));
  return end === -1 ? words : words.slice(0, end);
};

const nameAt = (words: readonly FlowingWord[], at: number): string => programName(words[at]?.text ?? "");

/** `sed -i f`: the file is what was made of it. */
const IN_PLACE = /^(?:sed|perl|ruby|awk)$/;
const isChangedInPlace = (called: string, words: readonly FlowingWord[], { text, isStatic }: FlowingWord): boolean =>
  IN_PLACE.test(called) &&
  isStatic &&
  /^[\w./@+][\w./@+-]*$/.test(text) &&
  text !== "inplace" &&
  words.some((word) => /^-[a-zA-Z]*i|^--in-place|^inplace$/.test(word.text));

/** What the author names may be written to; what a value names, where the program says so. */
function writtenName(
  called: string,
  words: readonly FlowingWord[],
  { shape, flow }: FlowingWord,
  at: number,
): readonly (Shape | "any")[] {
  const isLast = at === words.length - 1;
  // The file has another suffix then.
  if (PACKS.test(called) && at === words.length - 1) return [withoutOption(shape), "any"];
  if (flow.holds.size === 0 || WRITES_ALL.has(called) || isOutputWord(words, at)) return [withoutOption(shape)];
  if (!COPIES.has(called)) return [];
  // In a folder the copy has the name that the value says.
  return isLast
    ? [withoutOption(shape)]
    : words.at(-1)?.isStatic && /\.\w+$/.test(words.at(-1)?.text ?? "")
      ? []
      : ["any"];
}

const UNPACKING: Readonly<Record<string, RegExp>> = {
  tar: /^-?[a-zA-Z]*x|^--(?:ex|get)/,
  ar: /^-?[a-zA-Z]*x/,
  git: /^(?:clone|pull|checkout|switch|restore|apply|am|merge|rebase|stash|reset|cherry-pick|revert|worktree|submodule)$/,
  curl: /^-[a-zA-Z]*[OJ]|^--remote/,
  python: /^(?:-e|--extract)$/,
};

const mayUnpack = (called: string, words: readonly FlowingWord[]): boolean =>
  (called !== "python" || words.some(({ text }) => text === "zipfile" || text === "tarfile")) &&
  words.some(({ text }) => UNPACKING[called]?.test(text) ?? true);

/** `of=f` and `--output=f` are the file `f`. */
function withoutOption(shape: Shape): Shape {
  const [head, ...rest] = shape;
  return typeof head === "string" ? [head.replace(/^(?:--?[\w-]+=|\w+=|-[a-zA-Z](?=[\w./]))/, ""), ...rest] : shape;
}

/** The files behind `>`, `>>`, `&>` and the like. */
export const filesBehind = (redirects: readonly Redirection[]): readonly Shape[] =>
  redirects.flatMap((redirect) =>
    redirect.type === "Redirect" && redirect.target !== undefined && !/^(?:<|<&)$/.test(redirect.operator)
      ? [shapeOf(redirect.target.text)]
      : [],
  );

/** The files behind `<`. */
export const filesBefore = (redirects: readonly Redirection[]): readonly Shape[] =>
  redirects.flatMap((redirect) =>
    redirect.type === "Redirect" && redirect.target !== undefined && /^<>?$/.test(redirect.operator)
      ? [shapeOf(redirect.target.text)]
      : [],
  );

/** `exec > f`: all that follows is written there. */
export const isOutput = (called: string, words: readonly FlowingWord[]): boolean =>
  called === "exec" && words.length === 1;
