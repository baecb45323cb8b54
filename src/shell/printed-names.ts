import type { Command, Redirection, SyntaxNode, Word as SyntaxWord } from "unbash";
import { awkActs } from "./awk-acts.ts";
import { LANGUAGES } from "./code-languages.ts";
import { COMPILES } from "./file-writers.ts";
import { forEachChild } from "./parse-bash.ts";
import { programName } from "./program-name.ts";
import { sedActs } from "./sed-code.ts";
import { staticText } from "./static-text.ts";

/** Programs that print what they are told, or what is in files, and no names beside those that they are given. */
const NAMELESS: ReadonlySet<string> = new Set(
  `: [ awk base64 basename cat cd chmod cksum command column cp curl cut date declare dirname echo env exit export expr
  false fmt fold head hostname id iconv jq kill ln local mapfile md5sum mkdir mktemp mv mysql nl nproc od paste printenv printf
  psql pwd read readarray readonly realpath return rev rm sed seq set sha1sum sha256sum sha512sum shift sleep sort source sqlite3
  stat tac tail tee test timeout touch tr trap true type uname uniq unset wait wc wget whoami xxd`.split(/\s+/),
);

/** Whether it prints names of files that it finds. */
export function printsNames({ name, args }: Command): boolean {
  const called = programName(name?.value ?? "");
  const has = (pattern: RegExp): boolean => args.some(({ text }) => pattern.test(text));
  if (called === "" || NAMELESS.has(called)) return false;
  return called !== "grep" || has(/^-[a-zA-Z]*[lLrRH]|^--(?:files|rec|dereference-rec|with-f)/);
}

/** `find . -print0 | xargs -0`: each name is a word as a whole, and begins as the search did. */
export function handsOnWhole(from: SyntaxNode | undefined, to: SyntaxNode): boolean {
  if (from?.type !== "Command" || to.type !== "Command" || to.name?.text !== "xargs") return false;
  const called = programName(from.name?.value ?? "");
  const has = ({ args }: Command, pattern: RegExp): boolean => args.some(({ text }) => pattern.test(text));
  const isEnded =
    (called === "find" && has(from, /^-print0$/) && !has(from, /^-(?:f?printf|exec|execdir|f?ls|f?print)$/)) ||
    (called === "grep" && has(from, /^-[a-zA-Z]*Z|^--null$/) && has(from, /^-[a-zA-Z]*l/));
  return isEnded && has(to, /^-[a-zA-Z]*0|^--null$/);
}

/** Of those, the words that such names begin with: of `find`, the folders that stand before what is looked for. */
export function searchedFrom(node: SyntaxNode | undefined): readonly SyntaxWord[] {
  if (node?.type !== "Command") return [];
  const words = node.args.filter((word) => word.type === "Word");
  const end = words.findIndex(({ text }) => /^-(?![HLP]$)/.test(text));
  return programName(node.name?.value ?? "") === "find" && end !== -1 ? words.slice(0, end) : words;
}

/** What goes through folders, or is told what to open by its input. */
const SEARCHES = /^(?:xargs|rg|ag|ack|tar|zip|rsync|git)$/;

/** Whether it may print what it was not told: from files that its own code opens. */
export function readsUnasked(node: SyntaxNode): boolean {
  if (node.type !== "Command") return false;
  const called = programName(staticText(node.name?.text ?? "") ?? "");
  const has = (pattern: RegExp): boolean => node.args.some(({ text }) => pattern.test(text));
  if (called === "jq") return false;
  if (called === "find") return has(/^-exec/);
  if (called === "grep") return has(/^-[a-zA-Z]*[rR]|^--(?:rec|deref)/);
  if (SEARCHES.test(called) || COMPILES.test(called)) return true;
  if (called !== "sed" && called !== "awk") return LANGUAGES.has(called);
  const acts = called === "sed" ? sedActs : awkActs;
  return node.args.some(({ text }) => acts((staticText(text) ?? text).replace(/^(?:-e|--expression=)/, "")).reads);
}

/** At the head of the texts of a command that hands them on as they are. */
export const PRINTS = /^(?:echo|printf|cat)\n/;

/** What its author has written out in a node: words, and bodies of heredocs. */
export function textsIn(node: SyntaxNode): string {
  const texts: string[] = [];
  const visit = (child: SyntaxNode): void => {
    if (child.type === "HereDoc") return void texts.push(child.body.text);
    if (child.type === "Word") texts.push(staticText(child.text) ?? child.text);
    forEachChild(child, visit);
  };
  visit(node);
  return texts.join("\n");
}

/** The same of what stands there to be read: a heredoc, a here-string. */
export const textGiven = (redirect: Redirection): string =>
  redirect.type === "HereDoc" || redirect.operator === "<<<" ? textsIn(redirect) : "";
