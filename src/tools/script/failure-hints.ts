import type { Content, Failure } from "../../domain/outcome.ts";

/** What to do about the failures that authors of tools meet most. Each has a section in `docs/guide/script-tools-troubleshooting.md`. */
const HINTS: readonly { readonly exitCode?: number; readonly says: RegExp; readonly hint: string }[] = [
  {
    says: /[Aa]rgument list too long/,
    hint: 'a value is too long for an argument: give it to the program by standard input (`<<< "{{x}}"`)',
  },
  {
    says: /[Pp]ermission denied|Operation not permitted|Read-only file system/,
    hint: "the tool may not use this file: let a rule `grant` it, or look at its permissions",
  },
  {
    exitCode: 126,
    says: /^/,
    hint: "the program could not be started: look at its permissions (`chmod +x`) and its first line",
  },
  {
    exitCode: 127,
    says: /^/,
    hint: "a program is not there: install it, or add its folder to `toolchains`; `toolgate tools check` names it",
  },
  {
    says: /No space left on device|File too large/,
    hint: "the tool's own folder is full or a file too large: see `max_file_size_mb`; isolated folders go with each call",
  },
];

export function hintFor({ code, exitCode }: Failure, content: readonly Content[]): string | null {
  if (code === "TEMPLATE_MISSING_VALUE") return "give the argument, or give its slot a `default(…)`";
  const text = content.map((item) => (item.type === "text" ? item.text : "")).join("\n");
  const found = HINTS.find((one) => (one.exitCode === undefined || one.exitCode === exitCode) && one.says.test(text));
  return found?.hint ?? null;
}
