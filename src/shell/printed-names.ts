import type { Command } from "unbash";
import { programName } from "./program-name.ts";

const LISTS: ReadonlySet<string> = new Set("ls dir vdir fd fdfind tree git tar unzip".split(" "));

/** Whether it prints the names of files as they are; what `find .` prints begins with `./`. */
export const printsNames = ({ name, args }: Command): boolean =>
  LISTS.has(programName(name?.value ?? "")) ||
  (name?.value === "find" && args.some(({ text }) => /^-(?:f?printf|exec|execdir|ls)/.test(text))) ||
  (name?.value === "rg" && args.some(({ text }) => /^(?:--files|-[a-zA-Z]*l)/.test(text)));
