// biome-ignore-all lint/suspicious/noTemplateCurlyInString: it is bash, and no JavaScript

import { bindSlots } from "../../../src/shell/bind-slots.ts";
import { checkTemplate } from "../../../src/shell/check-template.ts";
import { unrollTemplate } from "../../../src/shell/unroll-template.ts";
import { corpus } from "../../support/parts.ts";
import { Dice } from "../compositions.ts";
import { actingSoup } from "./acting-soup.ts";
import { programSoup } from "./program-soup.ts";
import { firedIn } from "./slots-in-bash.ts";

const TOKENS: readonly string[] = [
  ...["{{x}}", "{{x}}", "{{x}}", "{{x}}", "echo ", "printf ", ": ", "a", "b ", " ", " ", "\n", ";", "&&", "||", "|"],
  ...[
    "(",
    ")",
    "{ ",
    ";}",
    "$(",
    "`",
    '"',
    "'",
    "\\",
    "<(",
    ">",
    "<",
    "<<E\n",
    "\nE\n",
    "<<'E'\n",
    "<<<",
    "$'",
    '$"',
    "#",
  ],
  ...[
    "=",
    "a=",
    "a+=",
    "a[",
    "]",
    "]=",
    "$a",
    "${a",
    "${a:-",
    "${a[",
    "${a/",
    "${a:",
    "${!",
    "}",
    "$((",
    "))",
    "((",
    "$[",
  ],
  ...[
    "[[ ",
    " ]]",
    " -eq ",
    " == ",
    " =~ ",
    "-v ",
    "[ ",
    " ]",
    "if ",
    "then ",
    "fi",
    "do ",
    "done",
    "for a in ",
    "while ",
  ],
  ...["case a in a) ", "case ", " in ", ";;", "esac", "eval ", "let ", "declare ", "declare -i ", "local ", "export "],
  ...[
    "read ",
    "unset ",
    "test ",
    "trap ",
    " EXIT",
    "printf -v ",
    "mapfile ",
    "set ",
    "--",
    "-",
    "~",
    "*",
    "{a,",
    "@(",
    "f() ",
  ],
  ...[
    ">& ",
    "&> ",
    "<& ",
    "{a}> ",
    "declare -a ",
    "readonly ",
    "typeset -A ",
    "a=(",
    "exec ",
    "${a@P}",
    "wait -p ",
    "$1 ",
    "$@ ",
  ],
  ...[
    "set -- ",
    "coproc ",
    "time ",
    "! ",
    "select a in ",
    "until ",
    "function f { ",
    "command ",
    "builtin ",
    "env ",
    "$(:) ",
  ],
];

const SOURCES: readonly string[] = [
  ...(corpus<{ src: string; expect: string }>("bash_parse_mvdan.jsonl") ?? [])
    .filter(({ expect }) => expect === "parses")
    .map(({ src }) => src),
  ...(corpus<{ src: string }>("bash_parse_treesitter.jsonl") ?? []).map(({ src }) => src),
  ...(corpus<{ cmd: string }>("commands_real.jsonl") ?? []).map(({ cmd }) => cmd),
];

/** Ways from a slot to a variable, and how such a variable is used. */
const CARRIED: readonly (readonly [string, readonly string[]])[] = [
  ["v={{x}}\n", ["$v", '"$v"', "${v}", '"${v}"', "v"]],
  ['v="{{x}}"\nw=$v\n', ["$w", '"$w"', "${w#a}", "w"]],
  ['v="a\n{{x}}"\nw="${v#a}"\n', ["$w", '"$w"', "w"]],
  ["read -r v <<< {{x}}\n", ["$v", '"$v"', "v"]],
  ["v=(b {{x}})\n", ["${v[1]}", '"${v[@]}"', "v[1]"]],
  ["set -- {{x}}\n", ["$1", '"$@"', "$*", "${1}"]],
  ["printf -v v %s {{x}}\n", ["$v", '"$v"', "v"]],
  ["v=$(printf %s {{x}})\n", ["$v", '"$v"', "v"]],
  ["for v in {{x}}; do :; done\n", ["$v", '"$v"', "v"]],
  ["mapfile -t v <<< {{x}}\n", ["$v", '"${v[0]}"', "v"]],
];

/** What bash's own commands and constructs are given. */
const USES: readonly string[] = [
  ...["[ {{x}} = a ]", "[ -n {{x}} ]", "test {{x}}", "[ a != {{x}} ] && :", "[ ! {{x}} ]", "[ {{x}} -gt 3 ]"],
  ...["[ -f {{x}} -a a = {{x}} ]", "command [ {{x}} = a ]", "test -z {{x}} -o {{x}} = a", "[ {{x}} {{x}} ]"],
  ...["[[ {{x}} == a ]]", "[[ -n {{x}} && a == {{x}} ]]", "[[ {{x}} -eq 1 ]]", "[[ a =~ {{x}} ]]", "[[ -t {{x}} ]]"],
  ...["printf {{x}}", "printf -- {{x}} {{x}}", "printf 'a%s' {{x}}", 'printf "b {{x}}"', "printf %d {{x}}"],
  ...[
    "cd {{x}}",
    "kill {{x}}",
    "shift {{x}}",
    "exit {{x}}",
    "type {{x}}",
    "ulimit -n {{x}}",
    "umask {{x}}",
    "wait {{x}}",
  ],
  ...["trap - {{x}}", "export b={{x}}", "b+={{x}}", "b[0]={{x}}", "b=([0]={{x}})", "b=({{x}})", "jobs -x {{x}}"],
  ...[
    "set -- {{x}}",
    "read -r -d {{x}} b < f",
    "read -t {{x}} b",
    "mapfile -n {{x}} b",
    "getopts {{x}} b",
    "hash {{x}}",
  ],
  ...["d=declare; $d -i b; b={{x}}", 'd=(local -i); "${d[@]}" b; b={{x}}', "${d:-let} b={{x}}", "declare b={{x}}"],
  ...["\\declare b={{x}}", "d=read; $d b{{x}} < f", "declare -{i,x} b; b={{x}}", "printf a{{x}} b", "[ -n a{{x}} ]"],
  ...["echo ${b:-{{x}}}", "echo {{x}} > {{x}}", "for b in {{x}}; do :; done", "case {{x}} in {{x}}) ;; esac"],
];

/** The slot is given to a variable first, and that put where the slot was. */
function carried(dice: Dice, text: string): string {
  const [before, uses] = CARRIED[dice.roll(CARRIED.length)] as (typeof CARRIED)[number];
  return before + text.replaceAll("{{x}}", () => uses[dice.roll(uses.length)] as string);
}

function template(dice: Dice): string {
  if (dice.roll(5) === 0) return carried(dice, USES[dice.roll(USES.length)] as string);
  const text = direct(dice);
  return dice.roll(3) === 0 && text.includes("{{x}}") ? carried(dice, text) : text;
}

/** Texts of tokens, and scripts of others with slots put somewhere into them. */
function direct(dice: Dice): string {
  const source = SOURCES.length === 0 || dice.roll(3) === 0 ? null : (SOURCES[dice.roll(SOURCES.length)] as string);
  if (source === null) {
    const length = 3 + dice.roll(9);
    return Array.from({ length }, () => TOKENS[dice.roll(TOKENS.length)]).join("");
  }
  let text = source;
  for (let n = 1 + dice.roll(2); n > 0; n--) {
    const at = dice.roll(text.length + 1);
    const rest = dice.roll(2) === 0 ? text.slice(at) : text.slice(at).replace(/^[\w./-]*/, "");
    text = `${text.slice(0, at)}{{x}}${rest}`;
  }
  return text;
}

const PARAMETERS = [
  { name: "x", type: "string", isClosed: false },
  { name: "y", type: "string", isClosed: false },
] as const;

export interface Soup {
  readonly loaded: number;
  /** Those of them that are made of programs, options and files. */
  readonly programs: number;
  /** Templates that were let in and ran what a value holds. */
  readonly fired: readonly string[];
}

/** What is let in must not run what a value says, wherever the slot was put. */
export function soup(seed: number, count: number): Soup {
  const dice = new Dice(seed);
  const loaded = { bash: [] as Loaded[], programs: [] as Loaded[] };
  for (let n = 0; n < count; n++) {
    const among = dice.roll(3) === 0 ? "programs" : "bash";
    const text = among === "bash" ? template(dice) : dice.roll(2) === 0 ? programSoup(dice) : actingSoup(dice);
    if (text.length > 4000 || !text.includes("{{x}}") || text.includes("\0")) continue;
    const checked = checkTemplate(text, PARAMETERS, ["arrive"]);
    if (!checked.ok) continue;
    const script = bindSlots(unrollTemplate(checked.template.nodes, { x: "", y: "" }));
    if (script.ok) loaded[among].push({ template: text, text: script.script.text });
  }
  const fired = (["bash", "programs"] as const).flatMap((among) => {
    const isFired = firedIn(
      loaded[among].map(({ text }) => text),
      among,
    );
    return loaded[among].filter((_, index) => isFired[index]).map((one) => one.template);
  });
  return { loaded: loaded.bash.length + loaded.programs.length, programs: loaded.programs.length, fired };
}

interface Loaded {
  readonly template: string;
  readonly text: string;
}
