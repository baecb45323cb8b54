import { programName } from "./program-name.ts";
import { isCarrier } from "./slot-commands.ts";
import type { Flow } from "./value-flow.ts";

/** What a value must not look like where it stands: the program would take it for something else than a name. */
export interface OperandForm {
  readonly index: number;
  readonly program: string;
  readonly refused: RegExp;
}

export const isSameForm = (one: OperandForm, other: OperandForm): boolean =>
  one.index === other.index && one.program === other.program && one.refused.source === other.refused.source;

interface Word {
  readonly text: string;
  readonly isStatic: boolean;
  readonly flow: Flow;
}

type Words = readonly Word[];
type Found = readonly (readonly [values: ReadonlySet<number>, refused: RegExp])[];

/** By the program, the forms of its operands that mean something of their own; `--` changes nothing about them. */
const FORMS: Readonly<Record<string, (rest: Words) => Found>> = {
  // An operator ends the list of folders, and the whole of the working folder is searched.
  find: (rest) => {
    const end = rest.findIndex(({ text }) => /^-(?:exec|ok)/.test(text));
    return rest
      .slice(0, end === -1 ? rest.length : end)
      .flatMap(({ flow }, at) => (isTest(rest[at - 1]) ? [] : [[flow.begins, /^[!(),]/] as const]));
  },
  // `:branch` deletes, `+branch` overwrites, `a:b` writes somewhere else.
  git: (rest) => {
    const verb = rest.findIndex(({ text }, at) => !text.startsWith("-") && !/^-[Cc]$/.test(rest[at - 1]?.text ?? ""));
    if (!/^(?:push|fetch|pull)$/.test(rest[verb]?.text ?? "")) return [];
    const remote = rest.findIndex(({ text }, at) => at > verb && !text.startsWith("-"));
    if (remote === -1) return [];
    return rest.slice(remote + 1).flatMap(({ flow }) => [[flow.begins, /^\+/] as const, [flow.holds, /:/] as const]);
  },
  // `name=value` sets a variable, and is no file.
  awk: (rest) =>
    rest.flatMap(({ flow }, at) =>
      /^-[vFfeEilL]$|^--[a-z-]+$/.test(rest[at - 1]?.text ?? "") ? [] : [[flow.begins, /^[A-Za-z_][\w:]*=/] as const],
    ),
  // Another server, or an option.
  dig: (rest) => rest.map(({ flow }) => [flow.begins, /^[@+]/] as const),
};

const isTest = (before: Word | undefined): boolean => before?.isStatic === true && /^-(?!-$|[HLP]$)/.test(before.text);

/** Of a command, also where another one starts it: `sudo find {{x}}`. */
export function operandForms(words: Words): readonly OperandForm[] {
  const nameAt = (at: number): string => (words[at]?.isStatic === true ? programName(words[at].text) : "");
  const at = isCarrier(nameAt(0)) && nameAt(0) !== "find" ? words.findIndex((_, n) => n > 0 && nameAt(n) in FORMS) : 0;
  const program = nameAt(at);
  if (!Object.hasOwn(FORMS, program)) return [];
  const found = FORMS[program]?.(words.slice(at + 1)) ?? [];
  return found.flatMap(([values, refused]) => [...values].map((index) => ({ index, program, refused })));
}
