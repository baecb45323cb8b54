import type { ArithmeticExpression, ParsedScript } from "unbash";
import { LIMITS } from "../domain/limits.ts";
import type { Word } from "../domain/touch.ts";
import { parseBash } from "./parse-bash.ts";
import { type PlainScript, plainScript } from "./plain-line.ts";
import type { Folders, FoundCommand, FoundConnection, FoundFile, Reading } from "./reading.ts";
import { changesExecution, isComputedWhenSet, isInherited } from "./variable-names.ts";

export type Dialect = "bash" | "sh";

/** How the shell came to a place: what it does there to folders and variables lasts, or ends with a subshell, or repeats. */
export type Place = "here" | "subshell" | "repeated";

/** What is fed to a command's standard input. */
export type Stdin = { readonly text: string } | "inherited" | "other";

/** A command on its way through the tables: what it is so far, and how it got there. */
export interface Candidate {
  readonly argv: readonly Word[];
  readonly env: readonly Word[];
  readonly external: boolean;
  /** The carriers that it was found behind. */
  readonly via: readonly (readonly Word[])[];
  readonly stdin: Stdin;
  readonly depth: number;
}

interface Steps {
  readonly script: (reader: ScriptReader, script: ParsedScript | PlainScript) => void;
  readonly arithmetic: (reader: ScriptReader, expression: ArithmeticExpression) => void;
}

const DEPTH_MAX = LIMITS.shellDepth.default;
const COMMANDS_MAX = LIMITS.shellCommands.default;
const FILES_MAX = LIMITS.shellFiles.default;
const FOLDERS_MAX = 8;
const UNKNOWN_MAX = 20;
const START: Folders = [""];
const NONE: readonly never[] = [];
const ALONE: Pick<Candidate, "env" | "via"> = { env: [], via: [] };

/** Gathers what one script would do. Everything that reads is given it, and so can read what it finds inside. */
export class ScriptReader implements Reading {
  readonly commands: FoundCommand[] = [];
  readonly files: FoundFile[] = [];
  readonly connections: FoundConnection[] = [];
  readonly unknown: string[] = [];
  #functions: Set<string> | null = null;
  tooComplex: string | null = null;

  /** Where the shell may stand now. */
  folders: Folders = START;
  /** Of a `cd` that was the very last command: where it leads if it goes well. */
  moved: Folders = null;
  hasMoved = false;
  folderLost = false;
  hasTrap = false;
  allExported = false;
  repeats = 0;
  /** Those of `HOME` and `TMPDIR` that the script or its caller sets. */
  readonly setsOwnFolders = new Set<string>();
  /** What the variables of slots hold. */
  slots: readonly (string | null)[] = NONE;
  /** The command that is read has a slot whose value is absent, so that bash never gets to run it. */
  isUnreachable = false;
  dialect: Dialect = "bash";
  /** What the shell that reads the present text was started with. */
  outer: Pick<Candidate, "env" | "via"> = ALONE;
  /** Variables that are computed with: their text is code to bash. */
  #computed: Set<string> | null = null;
  /** Variables that may hold something else than a number. */
  #unsure: Set<string> | null = null;
  /** Variables that may be lists. */
  #lists: Set<string> | null = null;
  /** Variables that `declare` gives a value which is not known. */
  #declared: Set<string> | null = null;
  /** Variables that programs see, so that setting one reaches them. */
  #inherited: Set<string> | null = null;

  #depth = 0;
  #files = 0;
  readonly #steps: Steps;

  constructor(steps: Steps) {
    this.#steps = steps;
  }

  // Made when they are first needed: most commands have no variables, and are read in less time than four sets take.
  get functions(): Set<string> {
    this.#functions ??= new Set();
    return this.#functions;
  }

  get computed(): Set<string> {
    this.#computed ??= new Set();
    return this.#computed;
  }

  get unsure(): Set<string> {
    this.#unsure ??= new Set();
    return this.#unsure;
  }

  get lists(): Set<string> {
    this.#lists ??= new Set();
    return this.#lists;
  }

  get declared(): Set<string> {
    this.#declared ??= new Set();
    return this.#declared;
  }

  get inherited(): Set<string> {
    this.#inherited ??= new Set();
    return this.#inherited;
  }

  say(reason: string): void {
    if (this.unknown.length < UNKNOWN_MAX && !this.unknown.includes(reason)) this.unknown.push(reason);
  }

  add(command: FoundCommand): void {
    if (this.commands.length >= COMMANDS_MAX) this.giveUp(`it has more than ${COMMANDS_MAX} commands`);
    else this.commands.push(command);
  }

  /** Each folder that it may lie in makes it another one. */
  addFile(file: FoundFile): void {
    this.#files += file.folders?.length ?? 1;
    if (this.#files > FILES_MAX) this.giveUp(`it names more than ${FILES_MAX} files`);
    else this.files.push(file);
  }

  giveUp(why: string): void {
    this.tooComplex ??= why;
  }

  /** A script inside the script. Undefined = the parser found none where one has to be. */
  nested(script: ParsedScript | PlainScript | undefined, place: Place): void {
    if (script === undefined) return void this.say("a command inside a word can't be read");
    if (this.#depth >= DEPTH_MAX) return void this.giveUp(`it is nested more than ${DEPTH_MAX} deep`);
    if (this.tooComplex !== null) return;
    const error = script.errors?.[0];
    if (error !== undefined) this.say(`bash could not read it: ${error.message}`);
    const { isUnreachable } = this;
    this.#depth++;
    if (place === "here") this.#steps.script(this, script);
    else this.within(place, this.#steps.script, script);
    this.#depth--;
    this.isUnreachable = isUnreachable;
  }

  /** Text that a shell is given to run. */
  text(text: string, dialect: Dialect, place: Place, outer: ScriptReader["outer"] = this.outer): void {
    const before = { dialect: this.dialect, outer: this.outer };
    Object.assign(this, { dialect, outer });
    if (dialect === "sh" && NOT_POSIX.test(text)) this.say("it has syntax that `sh` and bash read differently");
    this.nested(plainScript(text) ?? parseBash(text), place);
    Object.assign(this, before);
  }

  arithmetic(expression: ArithmeticExpression | undefined): void {
    if (expression !== undefined) this.#steps.arithmetic(this, expression);
  }

  within<Node>(place: Place, read: (reader: this, node: Node) => void, node: Node): void {
    const { folders, moved } = this;
    if (place === "repeated") this.repeats++;
    read(this, node);
    if (place === "repeated") this.repeats--;
    if (place === "subshell") Object.assign(this, { folders, moved });
  }

  /** `cd`: null = nobody knows where to. Whether it goes well is not known, so both places are possible after it. */
  move(to: string | null): void {
    this.hasMoved = true;
    if (this.repeats > 0 || to === null || this.folders === null) {
      this.folderLost ||= this.repeats > 0;
      this.moved = null;
      this.folders = null;
      return;
    }
    this.moved = this.folders.map((folder) => joined(folder, to));
    this.either(this.moved);
  }

  /** From here on also these folders are possible. */
  either(more: Folders): void {
    this.folders = this.oneOf(this.folders, more);
  }

  oneOf(some: Folders, more: Folders): Folders {
    if (some === more) return some;
    if (some === null || more === null) return null;
    const all = new Set([...some, ...more]);
    return all.size > FOLDERS_MAX ? null : [...all];
  }

  /** What can be said only once all has been read. */
  finish(): Reading {
    // A function runs wherever it is called, and a trap at any time, so a script that has one of them and `cd` stands anywhere.
    if (this.folderLost || (this.hasMoved && (this.hasTrap || (this.#functions?.size ?? 0) > 0))) {
      for (const [index, command] of this.commands.entries()) this.commands[index] = { ...command, folders: null };
      for (const [index, file] of this.files.entries()) this.files[index] = { ...file, folders: null };
    }
    for (const { below, path } of this.files)
      if (below !== undefined && this.setsOwnFolders.has(below.variable))
        this.say(`\`${below.variable}\` is set, so that it can't be told which file \`${path}\` is`);
    for (const name of this.#declared ?? NONE)
      if (this.#lists?.has(name) || LISTS_OF_BASH.has(name))
        this.say(`\`${name}\` is a list, where \`declare\` makes values into code`);
    for (const name of this.#computed ?? NONE) {
      // What the caller sets is `unsure`.
      const reachesPrograms = changesExecution(name) || isInherited(name);
      if (reachesPrograms && !isComputedWhenSet(name)) this.say(`\`${name}\` is computed with, and may be set`);
      if (this.unsure.has(name) || FILLED_BY_BASH.has(name))
        this.say(`the value of \`${name}\` is computed with, and may hold commands`);
    }
    return this;
  }
}

/** What bash puts texts of the script or of its input into by itself. */
export const FILLED_BY_BASH: ReadonlySet<string> = new Set(
  "_ BASH_REMATCH OPTARG DIRSTACK REPLY MAPFILE BASH_ARGV BASH_ARGV0 BASH_COMMAND BASH_EXECUTION_STRING BASH_SOURCE FUNCNAME PWD OLDPWD HOSTNAME".split(
    " ",
  ),
);

/** What is a list by itself. */
const LISTS_OF_BASH: ReadonlySet<string> = new Set(
  "BASH_ALIASES BASH_ARGC BASH_ARGV BASH_CMDS BASH_LINENO BASH_REMATCH BASH_SOURCE BASH_VERSINFO COMPREPLY COMP_WORDS COPROC DIRSTACK FUNCNAME GROUPS MAPFILE PIPESTATUS".split(
    " ",
  ),
);

/** Where another shell than bash may be `sh`: what of bash it reads as something else. */
const NOT_POSIX =
  /\$['"]|\$\[|&>|\|&|[<>]\(|<<<|\[\[|\(\(|\{[^{}]*(?:,|\.\.)[^{}]*\}|;;?&|\+=|=\(|[@?*+!]\(|\b(?:function|coproc|select|time|let|declare|local|source)\b|\{\w+\}[<>]|\$\{[^}]*[@^,/:]|~[+-]/;

const joined = (folder: string, to: string): string => (to.startsWith("/") || folder === "" ? to : `${folder}/${to}`);
