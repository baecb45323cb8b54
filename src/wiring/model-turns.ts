import type { Outcome } from "../domain/outcome.ts";
import type { ToolDefinition } from "../domain/tool.ts";
import { FORMATS, type FormatName, type MessagesFor } from "../formats/formats.ts";
import { type Meant, Offer } from "../formats/offer.ts";
import type { ReadCall, ResponseProblem } from "../formats/read-calls.ts";
import type { Explanation } from "../pipeline/explain.ts";
import { readJson } from "../schema/json/read-json.ts";
import type { GateCall, UnmadeCall } from "./gate-call.ts";

/** A response that is none of the provider's: nothing in it was run. */
export class ResponseError extends Error {
  readonly code = "RESPONSE_INVALID";
  readonly format: string;
  /** Where in the response: `choices[0].message`. */
  readonly at: string;

  constructor({ format, at, message }: ResponseProblem) {
    super(`this is no response of the format \`${format}\`: ${message}`);
    this.format = format;
    this.at = at;
  }
}

interface Parts {
  readonly definitions: () => readonly ToolDefinition[];
  readonly newId: () => string;
}

/** Makes calls, and gives a result for each in their order. */
type Make = (calls: readonly (GateCall | UnmadeCall)[]) => AsyncIterable<Outcome | Explanation>;

/** The gate between a model's response and the next request. */
export class ModelTurns {
  readonly #parts: Parts;
  readonly #offers = new Map<FormatName, Offer<FormatName>>();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Built with its first use: most gates speak to one provider. */
  offer<Name extends FormatName>(format: Name): Offer<Name> {
    const known = this.#offers.get(format);
    if (known !== undefined) return known as unknown as Offer<Name>;
    if (!Object.hasOwn(FORMATS, format)) {
      throw new RangeError(`\`${String(format)}\` is none of the formats ${Object.keys(FORMATS).join(", ")}`);
    }
    const offer = new Offer(format, this.#parts.definitions());
    this.#offers.set(format, offer as unknown as Offer<FormatName>);
    return offer;
  }

  /** The tools are others now: what was offered is offered anew. */
  forget(): void {
    this.#offers.clear();
  }

  async answer<Name extends FormatName>(format: Name, response: unknown, make: Make): Promise<MessagesFor<Name>> {
    const offer = this.offer(format);
    const read = offer.read(response, { readJson, newId: this.#parts.newId });
    if (!read.ok) throw new ResponseError(read.problem);
    const outcomes = await Array.fromAsync(make(read.calls.map((call) => turnCall(offer.meant(call), call))));
    // The cast: an explanation comes only to those who ask for one.
    return offer.results(read.calls.map((call, n) => ({ call, outcome: outcomes[n] as Outcome })));
  }
}

const turnCall = (meant: Meant, { name, input }: ReadCall): GateCall | UnmadeCall =>
  meant.kind === "call"
    ? { tool: meant.tool, input: meant.input }
    : { tool: name, input: "value" in input ? input.value : null, refusal: meant.refusal };
