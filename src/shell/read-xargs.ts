import type { Word } from "../domain/touch.ts";
import { type Carrier, carried } from "./carrier.ts";
import type { Meaning } from "./meaning.ts";
import { readUnread } from "./read-unread.ts";

export const XARGS: Carrier = {
  mode: "through",
  flags: "0rtpxo",
  values: "nLIPsdEa",
  longFlags: "--null --no-run-if-empty --verbose --interactive --exit --open-tty",
  longValues: "--max-args --max-procs --max-chars --delimiter --arg-file",
  longOptional: "--max-lines --replace --eof",
  places: "I --replace",
  undoes: "L --max-lines",
  undoesBeyondOne: "n --max-args",
};

/** What comes from the input: any number of words, whatever they are. */
const FROM_INPUT: Word = { text: "…", known: false, many: true };

export const readXargs: Meaning = (reader, candidate, interpret) => {
  const { argv, env, via, depth } = candidate;
  const split = carried(XARGS, argv);
  if (typeof split === "string") return readUnread(reader, candidate, "xargs", split);
  const command = split.rest.length === 0 ? [{ text: "echo", known: true }] : split.rest;
  const replaced = split.options.get("I") ?? split.options.get("--replace");
  const mark = replaced?.known === true ? replaced.text : replaced === undefined ? null : "";
  const filled =
    mark === null
      ? [...command, FROM_INPUT]
      : command.map((word) => (mark === "" || word.text.includes(mark) ? { text: word.text, known: false } : word));
  interpret(reader, {
    ...{ argv: filled, env, external: true, stdin: "other", depth: depth + 1 },
    via: [...via, argv],
  });
};
