// biome-ignore-all lint/suspicious/noTemplateCurlyInString: it is bash, and no JavaScript

/** A script that was put together, and every command that bash runs when it runs it. */
export interface Composition {
  readonly script: string;
  readonly leaves: readonly (readonly string[])[];
}

/** Numbers from a seed: the same seed, the same scripts. */
export class Dice {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0 || 1;
  }

  /** Below `sides`. */
  roll(sides: number): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let t = this.#state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) % sides;
  }

  pick<Item>(items: readonly Item[]): Item {
    return items[this.roll(items.length)] as Item;
  }
}

export interface Ingredients {
  /** Names of commands that are there to be run. */
  readonly names: readonly string[];
  readonly depth: number;
}

const TEXTS = [
  "a",
  "-x",
  "--flag=1",
  "a b",
  "a;b",
  "$(no)",
  "`no`",
  "a|b&c",
  "#x",
  "*",
  "~",
  "{a,b}",
  "a'b",
  'a"b',
  "\\",
  "!x",
  "",
  "é",
  "a\nb",
  "<(no)",
  "&& x",
  "[x]",
  "$x",
];

/** A script of commands that all run, if every one of them succeeds and prints a line. */
export function composition(dice: Dice, { names, depth }: Ingredients): Composition {
  const leaves: string[][] = [];
  const maker = new Maker(dice, names, leaves);
  return { script: maker.script(depth), leaves };
}

class Maker {
  readonly #dice: Dice;
  readonly #names: readonly string[];
  readonly #leaves: string[][];
  #variables = 0;

  constructor(dice: Dice, names: readonly string[], leaves: string[][]) {
    this.#dice = dice;
    this.#names = names;
    this.#leaves = leaves;
  }

  script(depth: number): string {
    if (depth <= 0) return this.simple(0);
    const make = this.#dice.pick(SHAPES);
    return make(this, () => this.script(depth - 1 - this.#dice.roll(2)), depth);
  }

  /** A simple command, maybe behind carriers, maybe with substitutions in its words. */
  simple(depth: number): string {
    const words = [this.#dice.pick(this.#names)];
    for (let count = this.#dice.roll(4); count > 0; count--) words.push(this.#dice.pick(TEXTS));
    this.#leaves.push(words);
    const [name = "", ...rest] = words;
    const command = [this.#spelled(name), ...rest.map((word) => this.quoted(word))].join(" ");
    return depth > 0 && this.#dice.roll(2) === 0 ? this.carried(command) : command;
  }

  carried(command: string): string {
    const behind = this.#dice.roll(4) === 0 ? this.carried(command) : command;
    // A program can't start what is part of the shell.
    const isOfShell = /^(?:command|eval|LANG=)/.test(behind);
    return this.#dice.pick(isOfShell ? SHELL_CARRIERS : [...SHELL_CARRIERS, ...CARRIERS])(behind, this);
  }

  /** The same word in another spelling. */
  quoted(text: string): string {
    switch (this.#dice.roll(4)) {
      case 0:
        return single(text);
      case 1:
        return `"${text.replace(/[\\$`"]/g, (letter) => `\\${letter}`)}"`;
      case 2:
        return `$'${[...text].map((letter) => ansi(letter, this.#dice)).join("")}'`;
      default:
        return text === "" || text.includes("\n") ? single(text) : text.replace(/[^\w]/gu, (letter) => `\\${letter}`);
    }
  }

  #spelled(name: string): string {
    switch (this.#dice.roll(6)) {
      case 0:
        return `"${name}"`;
      case 1:
        return `${name.slice(0, 1)}''${name.slice(1)}`;
      case 2:
        return `\\${name}`;
      case 3:
        return `$'\\x${name.charCodeAt(0).toString(16)}'${name.slice(1)}`;
      default:
        return name;
    }
  }

  text(script: string): string {
    return this.#dice.roll(2) === 0 ? single(script) : `"${script.replace(/[\\$`"]/g, (letter) => `\\${letter}`)}"`;
  }

  variable(): string {
    return `v${this.#variables++}`;
  }

  blank(): string {
    return this.#dice.pick([" ", "  ", "\t", " \\\n"]);
  }
}

const single = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

const ansi = (letter: string, dice: Dice): string => {
  const code = letter.codePointAt(0) as number;
  if (code > 127) return letter;
  if (dice.roll(3) === 0 && code > 0) return `\\x${code.toString(16).padStart(2, "0")}`;
  if (dice.roll(3) === 0 && code > 0) return `\\${code.toString(8).padStart(3, "0")}`;
  return letter === "'" || letter === "\\" ? `\\${letter}` : letter === "\n" ? "\\n" : letter;
};

type CarrierShape = (command: string, maker: Maker) => string;

const SHELL_CARRIERS: readonly CarrierShape[] = [
  (command) => `command ${command.replace(/^LANG=C /, "")}`,
  (command) => `command -- ${command.replace(/^LANG=C /, "")}`,
  (command, maker) => `eval ${maker.text(command)}`,
  (command, maker) => `bash -c ${maker.text(command)}`,
  (command) => `LANG=C ${command}`,
];

const CARRIERS: readonly CarrierShape[] = [
  (command) => `env ${command}`,
  (command) => `env -u Q A=1 ${command}`,
  (command) => `nice ${command}`,
  (command) => `nice -n 3 ${command}`,
  (command) => `nohup ${command}`,
  (command) => `timeout 5 ${command}`,
  (command) => `timeout -k 1 --signal=TERM 5 ${command}`,
  (command) => `setsid -w ${command}`,
  (command) => `stdbuf -oL ${command}`,
  // What xargs adds at the end is no part of what find is to run.
  (command) => (command.includes("find .") ? `env ${command}` : `xargs ${command} < /in`),
  (command) => (command.includes("find .") ? `nice ${command}` : `find . -maxdepth 0 -exec ${command} \\;`),
];

const called = (name: string, body: string): string => `${name}() { ${body}\n}; ${name}`;

const filled = (mark: string, script: string): string => `: <<${mark}\n$( ${script}\n)\n${mark}`;

const fed = (mark: string, script: string): string => `bash <<'${mark}'\n${script}\n${mark}`;

type Shape = (maker: Maker, part: () => string, depth: number) => string;

/** `part()` gives a script that may stand wherever commands may. */
const SHAPES: readonly Shape[] = [
  (maker, _, depth) => maker.simple(depth),
  (maker, _, depth) => maker.simple(depth),
  (_, part) => `${part()}\n${part()}`,
  (_, part) => `{ ${part()}\n} && ${part()}`,
  (_, part) => `! { ${part()}\n} || ${part()}`,
  (_, part) => `{ ${part()}\n}\n${part()}`,
  (_, part) => `( ${part()}\n)`,
  (_, part) => `{ ${part()}\n} | { ${part()}\n}`,
  (_, part) => `{ ${part()}\n} |& { ${part()}\n}`,
  (_, part) => `{ ${part()}\n} & wait\n${part()}`,
  (_, part) => `if { ${part()}\n} ; then ${part()}\nfi`,
  (_, part) => `while { ${part()}\n} ; do ${part()}\nbreak; done`,
  (_, part) => `until ! { ${part()}\n} ; do ${part()}\nbreak; done`,
  (maker, part) => `for ${maker.variable()} in 1 ; do ${part()}\ndone`,
  (maker, part) => `for ((${maker.variable()}=0;;)) ; do ${part()}\nbreak; done`,
  (_, part) => `case x in (y) ;; x) ${part()}\n;; esac`,
  (_, part) => `case x in x) ${part()}\n;& z) ${part()}\n;; esac`,
  (maker, part) => called(`f${maker.variable()}`, part()),
  (_, part) => `: ; time { ${part()}\n}`,
  (_, part) => `coproc { ${part()}\n}\nwait`,
  (_, part) => `[[ -z z$( ${part()}\n) ]] || :`,
  (_, part) => `[[ y != "$( ${part()}\n)" ]]`,
  (maker, part) => `${maker.variable()}=$( ${part()}\n)`,
  (maker, part) => `${maker.variable()}=( 1 "$( ${part()}\n)" )`,
  (maker, part) => `declare ${maker.variable()}="$( ${part()}\n)"`,
  (_, part) => `: "$( ${part()}\n)"`,
  (_, part) => `: \${u:-$( ${part()}\n)}`,
  (_, part) => `: "\${u-"$( ${part()}\n)"}"`,
  (_, part) => `: <( ${part()}\n)`,
  (maker, part) => filled(`D${maker.variable()}`, part()),
  (_, part) => `: <<< "$( ${part()}\n)"`,
  (maker, part) => `: $( ${part()}\n)${maker.blank()}# $(no)`,
  (maker, part) => `: $(( $( { ${part()}\n} > /dev/null; echo 1 ) + 1 ))${maker.blank()}; true`,
  (maker, part) => `eval ${maker.text(part())}`,
  (maker, part) => `bash -c ${maker.text(part())}`,
  (maker, part) => `( trap ${maker.text(part())} EXIT\n)`,
  (maker, part) => fed(`E${maker.variable()}`, part()),
  (_, part) => `( exec 3< /in; ${part()}\n)`,
  (_, part) => `${part()}\n: '' "a#b" \\# \n${part()}`,
];
