import type { JsonValue } from "../domain/json.ts";
import type { FoundCall, FoundCalls } from "./found-calls.ts";
import { ResponsePart, ShapeFault } from "./response-part.ts";

/** One call of a response: its arguments, or why they are none. */
export interface ReadCall {
  /** The provider's own, or one made here, which no other call of the response has. Of several with one id only the first is made. */
  readonly id: string;
  readonly isIdGiven: boolean;
  /** As the model wrote it. */
  readonly name: string;
  readonly input: { readonly value: JsonValue } | { readonly unusable: string };
  readonly spelling?: FoundCall["spelling"];
}

/** What is wrong with a response as a whole. Then none of its calls is made. */
export interface ResponseProblem {
  readonly format: string;
  /** `choices[0].message.tool_calls[1].function.name`; empty = the response itself. */
  readonly at: string;
  readonly message: string;
}

export type ReadResponse =
  | { readonly ok: true; readonly calls: readonly ReadCall[] }
  | { readonly ok: false; readonly problem: ResponseProblem };

/** What reading needs and a pure folder does not have. */
export interface ReadingParts {
  /** Reads JSON as strictly as any other text that comes from outside: no name twice, no `__proto__`, no endless depth. */
  readonly readJson: (text: string) => JsonReading;
  readonly newId: () => string;
}

export type JsonReading =
  | { readonly ok: true; readonly value: JsonValue }
  | {
      readonly ok: false;
      readonly error: { readonly line: number; readonly column: number; readonly message: string };
    };

/** All calls of a response, in their order. `find` is the format's own; a response may be its JSON text as well. */
export function readCalls(
  format: string,
  response: unknown,
  find: (response: ResponsePart) => FoundCalls,
  parts: ReadingParts,
): ReadResponse {
  try {
    const { calls, cutBy } = find(new ResponsePart(wholeOf(response, parts)));
    const taken = new Set(calls.map(({ id }) => id));
    const seen = new Set<string>();
    return {
      ok: true,
      calls: calls.map((call, n) => {
        const isCut = cutBy !== null && n === calls.length - 1;
        const { name, spelling } = call;
        const isRepeated = call.id !== null && seen.has(call.id);
        if (call.id !== null) seen.add(call.id);
        const input = isRepeated
          ? { unusable: REPEATED }
          : isCut
            ? { unusable: `${CUT} (${cutBy})` }
            : inputOf(call, parts);
        return {
          id: call.id ?? freeId(taken, parts),
          isIdGiven: call.id !== null,
          name,
          input,
          ...(spelling && { spelling }),
        };
      }),
    };
  } catch (error) {
    if (!(error instanceof ShapeFault)) throw error;
    return { ok: false, problem: { format, at: error.at, message: error.message } };
  }
}

/**
 * INVARIANT (an id, a call): of calls that one response gives the same id the first is made, and no other: their results could
 * not be told apart, and one may be the other again by mistake. Each is answered, in the order of the calls.
 */
const REPEATED =
  "your response has another call with the same id before this one, so only that one was made; if this is another call, make it again";

const CUT = "your answer was cut off, so the call may not be whole; make it again, with shorter arguments";

function wholeOf(response: unknown, { readJson }: ReadingParts): unknown {
  if (typeof response !== "string") return response;
  const reading = readJson(response);
  if (reading.ok) return reading.value;
  const { line, column, message } = reading.error;
  throw new ShapeFault("", `the response is not JSON: line ${line}, column ${column}: ${message}`);
}

function inputOf({ input }: FoundCall, { readJson }: ReadingParts): ReadCall["input"] {
  switch (input.kind) {
    case "value":
      // The cast is checked where the gate makes its own copy: what is no JSON is refused there.
      return { value: input.value as JsonValue };
    case "unusable":
      return { unusable: input.because };
    case "text": {
      // Of a tool that takes no arguments, some servers write none.
      if (input.text.trim() === "") return { value: {} };
      const reading = readJson(input.text);
      if (reading.ok) return { value: reading.value };
      const { line, column, message } = reading.error;
      return { unusable: `the arguments are not JSON: line ${line}, column ${column}: ${message}` };
    }
    default:
      return input satisfies never;
  }
}

function freeId(taken: Set<string | null>, { newId }: ReadingParts): string {
  let id = newId();
  while (taken.has(id)) id = newId();
  taken.add(id);
  return id;
}
