import type { CommandArgument, Word as SyntaxWord } from "unbash";
import { type ConstantValues, SOME_NUMBER, slotIn } from "./constant-values.ts";
import type { FlowingWord } from "./flow-uses.ts";
import { staticText } from "./static-text.ts";
import { type Flow, flowOfWord, mentions, NOTHING, type Variables } from "./value-flow.ts";
import { type Hole, isManyIn, joined, type Shape, shapeOf, textOf } from "./word-shape.ts";

/** Who knows where values are, and what the author has written out. */
export interface Known {
  readonly variables: Variables;
  readonly constants: ConstantValues;
}

/** A command's words as they are written. */
export function flowingWord(word: CommandArgument, { variables, constants }: Known): FlowingWord {
  const flow =
    word.type === "Word" ? flowOfWord(word, "split", variables) : { ...NOTHING, holds: mentions(word, variables) };
  const text = staticText(word.text);
  const shape: Shape = text === null ? shapeOf(word.text) : [text];
  return made(
    word.text,
    shape.map((part) => numbered(part, constants)),
    flow,
  );
}

const numbered = (part: string | Hole, constants: ConstantValues): string | Hole =>
  typeof part !== "string" && constants.isNumber(part) ? SOME_NUMBER : part;

function made(raw: string, shape: Shape, flow: Flow): FlowingWord {
  const text = textOf(shape);
  const holes = shape.filter((part) => part !== "");
  const [only] = holes;
  return {
    text: text ?? raw.replace(/^["']+/, ""),
    ...{ raw, shape, flow, isStatic: text !== null, isMany: isManyIn(shape) },
    isValue: holes.length === 1 && only !== undefined && typeof only !== "string" && slotIn(only) !== null,
  };
}

/** A word that is the author's own. */
export const writtenWord = (text: string): FlowingWord => made(text, [text], NOTHING);

type Words = readonly FlowingWord[];

const WAYS_MAX = 81;
const LIST = /^\$\{(\w+)\[@\](?:\+"\$\{\1\[@\]\}")?\}$/;
/** Of a text that becomes several words outside of quotes, without being more than a text. */
const PLAIN = /^[\w@%+=:,./ \t-]*$/;

/**
 * The ways a command may come out with what its author has set variables and lists to. What has too many of them, or
 * none that is known, stays as it is written.
 */
export function waysOf(args: readonly CommandArgument[], known: Known): readonly Words[] {
  let ways: readonly Words[] = [[]];
  for (const arg of args) {
    const plain = flowingWord(arg, known);
    const found = arg.type === "Word" ? (listWays(arg, plain, known) ?? textWays(arg, plain, known)) : null;
    const more = found === null || found.length * ways.length > WAYS_MAX ? [[plain]] : found;
    ways = ways.flatMap((before) => more.map((words) => [...before, ...words]));
  }
  return ways;
}

/** `"${args[@]}"`: each part of the list is there not at all, once or twice, in the order of the script. */
function listWays(word: SyntaxWord, { shape }: FlowingWord, known: Known): readonly Words[] | null {
  const [hole, ...others] = shape.filter((part) => part !== "");
  const [, name] = (typeof hole === "object" && LIST.exec(hole.raw)) || [];
  const groups = name === undefined || others.length > 0 ? null : known.constants.list(name, word.pos);
  if (groups === null) return null;
  let ways: readonly Words[] = [[]];
  for (const { words, isSure } of groups) {
    const group = words.map((element) => flowingWord(element, known));
    const counts = isSure ? [group] : [[], group, [...group, ...group]];
    ways = ways.flatMap((before) => counts.map((more) => [...before, ...more]));
    if (ways.length > WAYS_MAX) return null;
  }
  return ways;
}

function textWays(word: SyntaxWord, { raw, shape, flow }: FlowingWord, { constants }: Known): readonly Words[] | null {
  let ways: readonly Shape[] = [[]];
  let isSplit = false;
  for (const part of shape) {
    const texts = typeof part === "string" || part.name === null ? null : constants.texts(part.name, word.pos);
    const isPlain = texts?.every((text) => PLAIN.test(text) || (typeof part === "object" && !part.isMany));
    const more: Shape = texts !== null && isPlain === true ? texts : [part];
    isSplit ||= more === texts && typeof part === "object" && part.isMany;
    ways = ways.flatMap((before) => more.map((one) => joined(before, one)));
    if (ways.length > WAYS_MAX) return null;
  }
  if (
    isSplit &&
    ways.some((way) => textOf(way) === null && way.some((part) => typeof part === "string" && /\s/.test(part)))
  )
    return null;
  return ways.map((way) => {
    const text = textOf(way);
    // Outside of quotes nothing is no word, and blanks are between words.
    if (isSplit && text !== null)
      return text.split(/[ \t]+/).flatMap((one) => (one === "" ? [] : [made(raw, [one], flow)]));
    return [made(raw, way, flow)];
  });
}
