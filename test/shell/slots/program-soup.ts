// biome-ignore-all lint/suspicious/noTemplateCurlyInString: it is bash, and no JavaScript

import type { Dice } from "../compositions.ts";

const FILES = ["f", "g", "./f", "d/f", "f.sh", '"$t"', '"$PWD/f"', "{{y}}", "Makefile"];
const PROGRAMS = [
  "bash",
  "sh",
  "sed",
  "awk",
  "cat",
  "arrive",
  "$o",
  '"$o"',
  '"$p"',
  '"${P:-bash}"',
  "/t/bash",
  '"$d/bash"',
  "tar cf o.tar",
];
const CARRIERS = [
  "env",
  "env A=1",
  "timeout 1",
  "nice -n 5",
  "xargs",
  "xargs -n 1",
  "command",
  "exec",
  "find d -exec",
  "nohup",
];
const OPTIONS = [
  "-c",
  "-e",
  "-n",
  "-f",
  "-s",
  "--",
  "-ne",
  "--expr",
  "$o",
  '"$o"',
  "$q",
  '"${c[@]}"',
  "-v",
  "a=1",
  "-I{}",
  "+e",
];
const WORDS = [
  "{{x}}",
  "{{x}}",
  '"{{x}}"',
  '"$v"',
  "$v",
  "1p",
  "a",
  '"${c[@]}"',
  "-e{{x}}",
  '"${o}{{x}}"',
  "{}",
  "';'",
  '"$@"',
  "./$v",
  'a"$v"',
  "--exclude=$v",
  'a"$@"',
];
const SETTINGS = [
  ...[
    "o=-e",
    "o=-c",
    "o=-n",
    "o=bash",
    "o=sed",
    "o='-n -e'",
    'o="$q"',
    "p=bash",
    "p=cat",
    "q=-c",
    "q=$o",
    "v={{x}}",
    "v=a",
  ],
  ...[
    "c=()",
    "c=(-c)",
    "c=(-n 1p)",
    "c+=(-e)",
    "c+=({{x}})",
    'c+=("$v")',
    "c=(bash -c)",
    "set -- {{x}}",
    "set -- -c a",
  ],
  ...["t=f", "t=$PWD/f", "d=/t", "read -r o <<< -c", "for o in -n -c; do :; done", "printf -v o %s -c", "local o"],
];

/** What takes code from a file, by a word of its own or by a part of one. */
const RUNNERS = [
  ...["bash ", "source ", ". ", "cat ", "sed -n -f ", "sed -n --file=", "sed -nf", "awk -f ", "awk -f", "make -f"],
  ...["sqlite3 -safe -init ", "sqlite3 -init ", "bash --rcfile ", "tar cf o.tar -T", "sort --compress-program="],
];

const one = (dice: Dice, list: readonly string[]): string => list[dice.roll(list.length)] as string;
const some = (dice: Dice, list: readonly string[], most: number): string =>
  Array.from({ length: dice.roll(most + 1) }, () => one(dice, list)).join(" ");

function command(dice: Dice): string {
  const carrier = dice.roll(3) === 0 ? `${one(dice, CARRIERS)} ` : "";
  const words = `${some(dice, OPTIONS, 2)} ${some(dice, [...WORDS, ...FILES], 3)}`;
  const input = ["", "", "", " <<< {{x}}", " < f", " < g", ' <<< "$v"'][dice.roll(7)];
  return `${carrier}${one(dice, PROGRAMS)} ${words}${input}`;
}

/** From file to file, and what runs one. */
function onFiles(dice: Dice): string {
  const [from, to] = [one(dice, FILES), one(dice, FILES)];
  switch (dice.roll(12)) {
    case 0:
    case 1:
      return `printf '%s\\n' {{x}} > ${from}`;
    case 2:
      return `printf '%s\\n' {{x}} | tee ${from}`;
    case 3:
      return `printf '%s\\n' {{x}} | dd of=${from}`;
    case 4:
      return `${one(dice, ["mv", "cp", "ln", "ln -s", "install -m 755"])} ${from} ${to}`;
    case 5:
      return `cat ${from} > ${to}`;
    case 6:
      return `{ cat ${from}; } | ${one(dice, ["bash", "cat", "sort -o g", "tee g", "xargs", "sh -s"])}`;
    case 7:
      return `${one(dice, RUNNERS)}${to}`;
    case 8:
      return one(dice, [
        "cd d",
        "exec > f",
        "mkdir -p d",
        "chmod +x f g d/f",
        "make",
        'for i in *; do bash "$i"; done',
      ]);
    case 9:
      return `chmod +x ${from}; ${one(dice, ["./f", "./g", "d/f", '"$t"', "./f.sh"])}`;
    case 10:
      return `v=$(cat ${from}); ${command(dice)}`;
    default:
      return `while read -r v; do ${command(dice)}; done < ${from}`;
  }
}

/** Scripts of programs whose names, options and files are not always written out. */
export function programSoup(dice: Dice): string {
  const lines = Array.from({ length: 2 + dice.roll(4) }, () => {
    const kind = dice.roll(5);
    if (kind < 2) return one(dice, SETTINGS);
    return kind === 2 ? onFiles(dice) : command(dice);
  });
  // Most of them have to do with one another only if there is a value in them.
  const text = lines.join("\n");
  return text.includes("{{x}}") ? text : `v={{x}}\n${text}`;
}
