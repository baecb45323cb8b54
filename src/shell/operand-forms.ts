import { curlForms } from "./curl-forms.ts";
import { type FormWord, type FoundForm, form, type Refused } from "./form-of.ts";
import { gitForms } from "./git-forms.ts";
import { jsonForms } from "./json-forms.ts";
import { programName } from "./program-name.ts";
import { isCarrier } from "./slot-commands.ts";
import { urlParts } from "./url-forms.ts";
import { headOf, type Shape } from "./word-shape.ts";

/** What a value must not look like where it stands: the program would take it for something else than a name. */
export interface OperandForm {
  readonly index: number;
  readonly program: string;
  readonly refused: Refused;
  readonly fix?: string;
}

export const isSameForm = (one: OperandForm, other: OperandForm): boolean =>
  one.index === other.index && one.program === other.program && one.refused.source === other.refused.source;

type Words = readonly FormWord[];
type Forms = (rest: Words) => readonly FoundForm[];

/** `@name` is a file with more words. */
const listed: Forms = (rest) => rest.map(({ flow }) => form(flow.begins, /^@/));
/** `host:name` is on another machine, which is talked to by a shell there. */
const remote: Forms = (rest) => rest.map(({ flow }) => form(flow.begins, /^[^/]*:/));
const streams: Forms = (rest) => rest.map(({ flow }) => form(flow.begins, /^(?!https?:|rtmps?:|rtsps?:)[\w+.,-]+:/i));

/** Of the value of an option, as a word of its own or behind `=`: a sign in it begins another one. */
const behind =
  (option: RegExp, refused: RegExp, fix?: string): Forms =>
  (rest) =>
    rest.flatMap(({ flow, shape }, at) => {
      const before = rest[at - 1];
      const isValue = before?.isStatic === true && option.test(before.text);
      const [glued] = /^--?[\w-]+(?==)/.exec(headOf(shape)) ?? [];
      return isValue || (glued !== undefined && option.test(glued)) ? [form(flow.holds, refused, fix)] : [];
    });

/** A name with signs in it says more than which database: another host, to which a password goes. */
const CONNECTION = /[=\s:/?'"\\]/;
const mounts = behind(/^--mount$/, /,/);

/** Of several tests in one, a sign of their language may be any of its words. One alone is told by how many words there are. */
const tests: Forms = (rest) =>
  rest.some(({ text, isStatic }) => isStatic && /^-[ao]$/.test(text))
    ? rest.map(({ flow }) =>
        form(flow.begins, /^(?:[()!]|[=!]?=|[<>]|-\w{1,2})$/, "the tool's author can use `[[ … ]]`"),
      )
    : [];

/** By the program, the forms of its operands that mean something of their own; `--` changes nothing about them. */
const FORMS: Readonly<Record<string, Forms>> = {
  // An operator ends the list of folders, and the whole of the working folder is searched.
  find: (rest) => {
    const end = rest.findIndex(({ text }) => /^-(?:exec|ok)/.test(text));
    return rest
      .slice(0, end === -1 ? rest.length : end)
      .flatMap(({ flow }, at) => (isTest(rest[at - 1]) ? [] : [form(flow.begins, /^[!(),]/)]));
  },
  git: gitForms,
  curl: curlForms,
  // `name=value` sets a variable, and is no file.
  awk: (rest) =>
    rest.flatMap(({ flow }, at) =>
      /^-[vFfeEilL]$|^--[a-z-]+$/.test(rest[at - 1]?.text ?? "") ? [] : [form(flow.begins, /^[A-Za-z_][\w:]*=/)],
    ),
  // Another server, or an option.
  dig: (rest) => rest.map(({ flow }) => form(flow.begins, /^[@+]/)),
  expr: (rest) => rest.map(({ flow }) => form(flow.begins, /^(?:[()|&:+*/%-]|[=!<>]=?|==|match|substr|index|length)$/)),
  // Letters without a dash are options.
  ps: (rest) =>
    rest.flatMap(({ flow }, at) => (/^-/.test(rest[at - 1]?.text ?? "") ? [] : [form(flow.begins, /^[a-zA-Z]/)])),
  ...{ test: tests, "[": tests },
  wget: (rest) => rest.flatMap((word) => urlParts(word)),
  tar: (rest) =>
    rest.some(({ text }) => text === "--force-local")
      ? []
      : rest.flatMap(({ flow, shape }, at) =>
          /^-?[a-zA-Z]*f$|^--file$/.test(rest[at - 1]?.text ?? "") || headOf(shape) === "--file="
            ? [form(flow.holds, /^[^/]*:/)]
            : [],
        ),
  dd: (rest) => rest.map(({ flow }) => form(flow.begins, /=/)),
  psql: (rest) => [
    ...behind(/^(?:-d|--dbname)$/, CONNECTION)(rest),
    ...rest.flatMap(({ flow, shape }, at) => {
      const isOperand = !/^-/.test(rest[at - 1]?.text ?? "") || headOf(shape).includes("dbname=");
      return isOperand && !headOf(shape).startsWith("-") ? [form(flow.holds, CONNECTION)] : [];
    }),
  ],
  helm: behind(/^--set(?:-string)?$/, /[,{}\\]/, "the tool's author can write `--set-literal`"),
  ...{ docker: mounts, podman: mounts, nerdctl: mounts },
  setfacl: behind(/^(?:-[a-zA-Z]*[mx]|--modify|--remove|--set)$/, /[,:\s]/),
  openssl: (rest) => [...behind(/^-subj$/, /[/+]/)(rest), ...behind(/^-addext$/, /[,\s]/)(rest)],
  scp: remote,
  rsync: remote,
  ffmpeg: streams,
  ffprobe: streams,
  strings: listed,
  unrar: listed,
};

const isTest = (before: FormWord | undefined): boolean =>
  before?.isStatic === true && /^-(?!-$|[HLP]$)/.test(before.text);

/** Of a command, and of another that it starts: `sudo find {{x}}`. */
export function operandForms(words: Words): readonly OperandForm[] {
  const nameAt = (at: number): string => (words[at]?.isStatic === true ? programName(words[at].text) : "");
  const inner = isCarrier(nameAt(0)) ? words.findIndex((_, n) => n > 0 && Object.hasOwn(FORMS, nameAt(n))) : -1;
  return [0, inner].flatMap((at) => {
    const program = nameAt(at);
    const found = Object.hasOwn(FORMS, program) ? (FORMS[program]?.(words.slice(at + 1)) ?? []) : [];
    return ofProgram(program, found);
  });
}

const ofProgram = (program: string, found: readonly FoundForm[]): readonly OperandForm[] =>
  found.flatMap(({ values, refused, fix }) =>
    [...values].map((index) => ({ index, program, refused, ...(fix !== undefined && { fix }) })),
  );

/** `curl -d @- <<EOF`: of a text that is sent as it is. */
export const inputForms = (words: Words, texts: readonly Shape[]): readonly OperandForm[] =>
  words[0]?.text === "curl" && words.some(({ text }) => /^(?:-d|--[\w-]+=)?@-$/.test(text))
    ? ofProgram("curl", texts.flatMap(jsonForms))
    : [];
