import type {
  AndOr,
  Command,
  CommandNode,
  CompoundCommand,
  CompoundList,
  Coproc,
  Function as FunctionNode,
  ParsedScript,
  Pipeline,
  PipelineNode,
  Redirected,
  Redirection,
  Statement,
  Word as SyntaxWord,
  While,
} from "unbash";
import type { PlainAndOr, PlainPipeline, PlainScript, PlainStatement } from "./plain-line.ts";
import { setsVariable } from "./reach-of.ts";
import { isNumber } from "./read-arithmetic.ts";
import { readPlainCommand, readSimpleCommand } from "./read-command.ts";
import { readRedirection } from "./read-redirection.ts";
import { readTest } from "./read-test.ts";
import { wordOf } from "./read-word.ts";
import type { Folders } from "./reading.ts";
import type { ScriptReader, Stdin } from "./script-reader.ts";

type Node = PipelineNode | AndOr | PlainStatement["command"];

export function readStatements(reader: ScriptReader, { commands }: Pick<ParsedScript | PlainScript, "commands">): void {
  for (const statement of commands) readStatement(reader, statement);
}

function readStatement(reader: ScriptReader, { command, background }: Statement | PlainStatement): void {
  if (background === true) reader.within("subshell", readAlone, command);
  else readNode(reader, command, "inherited");
}

const readAlone = (reader: ScriptReader, node: Node): void => readNode(reader, node, "other");

const readList = (reader: ScriptReader, list: CompoundList): void => readStatements(reader, list);

function readNode(reader: ScriptReader, node: Node, stdin: Stdin): void {
  switch (node.type) {
    case "Plain":
      return void readPlainCommand(reader, node, stdin);
    case "Command":
      return void readSimpleCommand(reader, node, stdin);
    case "Pipeline":
      return void readPipeline(reader, node, stdin);
    case "AndOr":
      return void readAndOr(reader, node, stdin);
    case "Redirected":
      return void readRedirected(reader, node, stdin);
    case "Function":
      return void readFunction(reader, node);
    case "Coproc":
      return void readCoproc(reader, node);
    default:
      return void readCompound(reader, node, stdin);
  }
}

/**
 * After `cd x &&` the shell stands in x and nowhere else, after `cd x ||` it stayed; but behind `cd x || y && ` it may have gone
 * past y. So where it stands after a success is told from where it stands after a failure.
 */
function readAndOr(reader: ScriptReader, { commands, operators }: AndOr | PlainAndOr, stdin: Stdin): void {
  let [ok, failed] = readOneOf(reader, commands[0] as Node, stdin);
  for (let index = 1; index < commands.length; index++) {
    const isThen = operators[index - 1] === "&&";
    reader.folders = isThen ? ok : failed;
    const [nowOk, nowFailed] = readOneOf(reader, commands[index] as Node, stdin);
    ok = isThen ? nowOk : reader.oneOf(ok, nowOk);
    failed = isThen ? reader.oneOf(failed, nowFailed) : nowFailed;
  }
  reader.folders = reader.oneOf(ok, failed);
}

/** Where the shell stands after it: if it goes well, and if not. */
function readOneOf(reader: ScriptReader, command: Node, stdin: Stdin): readonly [ok: Folders, failed: Folders] {
  const before = reader.folders;
  reader.moved = null;
  readNode(reader, command, stdin);
  const movedTo = command.type === "Command" || command.type === "Plain" ? reader.moved : null;
  return movedTo === null ? [reader.folders, reader.folders] : [movedTo, before];
}

/** Each part of a pipeline is a shell of its own; the last may be this one (`lastpipe`). */
function readPipeline(reader: ScriptReader, { commands }: Pipeline | PlainPipeline, stdin: Stdin): void {
  if (commands.length === 1) return void readNode(reader, commands[0] as Node, stdin);
  for (let index = 0; index < commands.length; index++) {
    const { folders } = reader;
    readNode(reader, commands[index] as Node, index === 0 ? stdin : "other");
    reader.folders = folders;
  }
}

function readRedirected(reader: ScriptReader, { command, redirects }: Redirected, stdin: Stdin): void {
  reader.isUnreachable = false;
  readCompound(reader, command, redirectedStdin(reader, redirects, stdin));
}

function redirectedStdin(reader: ScriptReader, redirects: readonly Redirection[], stdin: Stdin): Stdin {
  let fed = stdin;
  for (const redirect of redirects) fed = readRedirection(reader, redirect) ?? fed;
  // Who reads first inside takes what is fed: nobody can tell what is left for the next one.
  return typeof fed === "object" ? "other" : fed;
}

function readFunction(reader: ScriptReader, { name, body }: FunctionNode): void {
  reader.functions.add(name.text);
  reader.within("repeated", readBody, body);
}

function readCoproc(reader: ScriptReader, { name, body }: Coproc): void {
  if (name !== undefined) {
    setsVariable(reader, name.text);
    // Bash expands the name, and runs what is in it.
    if (!wordOf(reader, name).known) reader.say(`a variable is named only at run time: \`${name.text}\``);
  }
  reader.unsure.add(name?.text ?? "COPROC");
  if (name !== undefined) reader.lists.add(name.text);
  reader.within("subshell", readBody, body);
}

function readBody(reader: ScriptReader, body: CommandNode | CompoundList): void {
  if (body.type === "CompoundList") readList(reader, body);
  else readNode(reader, body, "other");
}

function readCompound(reader: ScriptReader, node: CompoundCommand | Command, stdin: Stdin): void {
  switch (node.type) {
    case "Command":
      return void readSimpleCommand(reader, node, stdin);
    case "Subshell":
      return void reader.within("subshell", readList, node.body);
    case "BraceGroup":
      return void readList(reader, node.body);
    case "If":
      readList(reader, node.clause);
      readBranch(reader, node.then);
      for (const branch of node.elif) {
        readBranch(reader, branch.clause);
        readBranch(reader, branch.then);
      }
      if (node.else) readBranch(reader, node.else);
      return;
    case "For":
    case "Select":
      readLoopWords(reader, node.name.text, node.wordlist);
      if (node.type === "Select") reader.unsure.add("REPLY");
      return void reader.within("repeated", readList, node.body);
    case "ArithmeticFor":
      reader.arithmetic(node.initialize);
      reader.arithmetic(node.test);
      reader.arithmetic(node.update);
      return void reader.within("repeated", readList, node.body);
    case "While":
      return void reader.within("repeated", readWhile, node);
    case "Case":
      wordOf(reader, node.word);
      for (const item of node.items) {
        for (const pattern of item.pattern) wordOf(reader, pattern);
        readBranch(reader, item.body);
      }
      return;
    case "TestCommand":
      return void readTest(reader, node.expression);
    case "ArithmeticCommand":
      if (node.expression === undefined && node.body.trim() !== "") reader.say("it has arithmetic that can't be read");
      return void reader.arithmetic(node.expression);
    default:
      reader.say("it has a command of a kind that can't be read");
      return void (node satisfies never);
  }
}

function readWhile(reader: ScriptReader, { clause, body }: While): void {
  readList(reader, clause);
  readList(reader, body);
}

/** It may run or not: what it leaves behind is possible, and what was there before as well. */
function readBranch(reader: ScriptReader, list: CompoundList): void {
  const before = reader.folders;
  readList(reader, list);
  reader.either(before);
}

const NUMBERS = /^\{-?\d+\.\.-?\d+(?:\.\.-?\d+)?\}$/;

function readLoopWords(reader: ScriptReader, name: string, words: readonly SyntaxWord[] | undefined): void {
  setsVariable(reader, name);
  const read = words?.map((word) => wordOf(reader, word)) ?? null;
  if (read === null || !read.every(({ text }) => isNumber(text) || NUMBERS.test(text))) reader.unsure.add(name);
}
