import type { HereDoc, Redirect, Redirection } from "unbash";
import { setsVariable } from "./reach-of.ts";
import { readComputedText } from "./read-arithmetic.ts";
import { readParts, wordOf } from "./read-word.ts";
import type { FoundFile } from "./reading.ts";
import type { ScriptReader, Stdin } from "./script-reader.ts";

/** Opens nothing: what they lead to says nothing about the machine. */
const NOTHING = /^\/dev\/(?:null|stdin|stdout|stderr|fd\/\d+)$/;
const SOCKET = /^\/dev\/(tcp|udp)\/(.*)$/s;
const HOST_AND_PORT = /^([a-z0-9.-]*[a-z0-9])\/(\d{1,5})$/i;

/** Reads a redirection; what it feeds to standard input is given back. */
export function readRedirection(reader: ScriptReader, redirection: Redirection): Stdin | null {
  if (redirection.descriptor?.type === "FileDescriptorVariable") readNumberTo(reader, redirection.descriptor.name);
  switch (redirection.type) {
    case "Redirect":
      return readRedirect(reader, redirection);
    case "HereString": {
      if (redirection.target === undefined) return broken(reader);
      const word = wordOf(reader, redirection.target);
      return feeds(redirection, word.known ? { text: `${word.text}\n` } : "other");
    }
    case "HereDoc":
      return feeds(redirection, readHereDoc(reader, redirection));
    default:
      reader.say("it has a redirection that can't be read");
      return redirection satisfies never;
  }
}

/** `{fd}> a`, `{list[n]}> a`: where the descriptor's number is put; an index is computed as everywhere. */
function readNumberTo(reader: ScriptReader, descriptor: string): void {
  const [name = "", subscript] = descriptor.split(/\[(.*)\]$/s);
  setsVariable(reader, name);
  if (subscript === undefined) return;
  reader.lists.add(name);
  readComputedText(reader, subscript);
}

function broken(reader: ScriptReader): Stdin {
  reader.say("it has a redirection that can't be read");
  return "other";
}

const feeds = ({ descriptor }: Redirection, stdin: Stdin): Stdin | null =>
  descriptor === undefined || (descriptor.type === "FileDescriptor" && descriptor.value === 0) ? stdin : null;

function readHereDoc(reader: ScriptReader, { delimiter, body, operator, closing }: HereDoc): Stdin {
  if (delimiter === undefined || closing === undefined) return broken(reader);
  const found = readParts(reader, body.parts ?? [], true);
  const isPlain = delimiter.quoted || (found.text !== null && !/[\\$`]/.test(body.text));
  if (!isPlain) return "other";
  return { text: operator === "<<-" ? body.text.replace(/^\t+/gm, "") : body.text };
}

function readRedirect(reader: ScriptReader, redirect: Redirect): Stdin | null {
  const { operator, target } = redirect;
  if (target === undefined) return broken(reader);
  const word = wordOf(reader, target);
  // Bash expands such a name, and then once more, quotes or not: `>& '$(x)'` runs x.
  if (operator === ">&" && (!word.known || /[$`\\"'~*?[{]/.test(word.text)) && !reader.isUnreachable)
    reader.say(`bash reads the name behind \`>&\` twice: \`${target.text}\``);
  const isInput = operator === "<" || operator === "<>" || operator === "<&";
  const stdin = isInput && feeds(redirect, "other") !== null ? "other" : null;
  const below = word.known || operator === ">&" || operator === "<&" ? null : belowVariable(word.text);
  if (below !== null && !reader.isUnreachable) {
    openFile(reader, operator, word.text, below);
    return stdin;
  }
  if (!word.known) {
    if (!reader.isUnreachable) reader.say(`a file is opened whose name is known only at run time: \`${word.text}\``);
    return stdin;
  }
  // `2>&1`, `<&-`, `3>&4-`: no file. `>&name` without a number in front is one.
  if ((operator === ">&" || operator === "<&") && /^(?:\d+-?|-)$/.test(word.text)) return stdin;
  if (operator === "<&") return broken(reader);
  openFile(reader, operator, word.text);
  return stdin;
}

/** `~/a`, `$HOME/a`, `"${TMPDIR:-/tmp}/a"`: the only folders that the sandbox itself names by a variable. */
const BELOW_VARIABLE = /^(?:~|\$(?:HOME|\{HOME\})|\$(TMPDIR|\{TMPDIR(?::-\/tmp)?\}))\/([\w.@%+=:,/-]+)$/;

function belowVariable(raw: string): NonNullable<FoundFile["below"]> | null {
  // The folders have no blanks in their names, so that quotes make no difference.
  const [, isTmp, rest] = BELOW_VARIABLE.exec(raw.replaceAll('"', "")) ?? [];
  if (rest === undefined || (raw.includes('"') && raw.includes("~"))) return null;
  return { variable: isTmp === undefined ? "HOME" : "TMPDIR", rest };
}

function openFile(
  reader: ScriptReader,
  operator: Redirect["operator"],
  path: string,
  below?: NonNullable<FoundFile["below"]>,
): void {
  const [, scheme, rest = ""] = SOCKET.exec(path) ?? [];
  if (scheme !== undefined) return void openSocket(reader, scheme as "tcp" | "udp", rest);
  if (NOTHING.test(path)) return;
  const { folders } = reader;
  const file = { path, folders, by: "redirect", ...(below && { below }) } as const;
  if (operator === "<" || operator === "<>") reader.addFile({ kind: "read", ...file });
  if (operator !== "<") reader.addFile({ kind: "write", ...file });
}

/** Bash itself connects where such a name is opened. */
function openSocket(reader: ScriptReader, scheme: "tcp" | "udp", rest: string): void {
  const [, host, port] = HOST_AND_PORT.exec(rest) ?? [];
  if (host === undefined) return void reader.say(`bash connects to \`${rest}\``);
  reader.connections.push({ host: host.toLowerCase(), port: Number(port), scheme });
}
