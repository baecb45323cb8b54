import type { JsonValue } from "../domain/json.ts";
import { nearest } from "../domain/nearest.ts";
import type { Outcome, Refusal } from "../domain/outcome.ts";
import type { ToolDefinition } from "../domain/tool.ts";
import { quoted } from "../domain/visible.ts";
import type { Answered, Defined, Format } from "./format.ts";
import { FORMATS, type FormatName, type MessagesFor, type ToolsFor } from "./formats.ts";
import { type ReadCall, type ReadingParts, type ReadResponse, readCalls } from "./read-calls.ts";
import { ToolNames } from "./tool-names.ts";

/** A call for the gate, or the refusal of what is none. */
export type Meant =
  | { readonly kind: "call"; readonly tool: string; readonly input: JsonValue }
  | { readonly kind: "refused"; readonly refusal: Refusal };

export interface OfferOptions {
  /**
   * Tools by their own names; `*` stands for any characters. For providers that take a limited number: OpenAI's Chat
   * Completions 128. It chooses what a model is told, and forbids nothing: that is what rules and leases are for.
   */
  readonly only?: readonly string[];
}

/** More names than that are not searched for one that is near: it would hold up other calls. */
const SEARCHED_MAX = 2000;

/**
 * A catalog as one provider sees it. Its names are made once; after that a call costs the same however many tools there are.
 * What a model can name is what was offered: a tool's own name, where another was offered for it, is none.
 */
export class Offer<Name extends FormatName> {
  readonly #name: Name;
  readonly #format: Format<unknown, unknown, unknown>;
  readonly #names: ToolNames;
  readonly #tools: ReadonlyMap<string, ToolDefinition>;
  readonly #defined = new Map<string, Defined<unknown>>();

  constructor(name: Name, tools: readonly ToolDefinition[]) {
    this.#name = name;
    this.#format = FORMATS[name] as Format<unknown, unknown, unknown>;
    this.#tools = new Map(tools.map((tool) => [tool.name, tool]));
    this.#names = new ToolNames(
      tools.map((tool) => tool.name),
      this.#format.names,
    );
  }

  /** A new list each time: callers add their own tools to it. */
  tools({ only }: OfferOptions = {}): ToolsFor<Name> {
    const isMeant = only === undefined ? () => true : namedBy(only);
    const chosen = [...this.#tools.values()].filter(({ name }) => isMeant(name));
    const definitions = chosen.map((tool) => this.#define(tool).definition);
    return this.#format.tools(definitions) as ToolsFor<Name>;
  }

  read(response: unknown, parts: ReadingParts): ReadResponse {
    return readCalls(this.#name, response, this.#format.find, parts);
  }

  /** The tool and the arguments that a call means. */
  meant({ name, input }: ReadCall): Meant {
    if ("unusable" in input) return refusedAs("INVALID_ARGUMENTS", input.unusable);
    const own = this.#names.own(name);
    const tool = own === undefined ? undefined : this.#tools.get(own);
    if (tool !== undefined) {
      const { restore } = this.#define(tool);
      return { kind: "call", tool: tool.name, input: restore === null ? input.value : restore(input.value) };
    }
    const offered = this.#names.offered(name);
    // Prompts and resources are tools that no model is offered, and only their names have a `/`.
    if (offered === undefined && name.includes("/"))
      return refusedAs("TOOL_UNKNOWN", `no tool is called ${quoted(name)}`);
    // No tool has the name, which the gate finds out and records.
    if (offered === undefined) return { kind: "call", tool: name, input: input.value };
    return refusedAs("TOOL_UNKNOWN", `here the tool is called ${quoted(offered)}`);
  }

  results(answers: readonly Answered[]): MessagesFor<Name> {
    const told = answers.map(({ call, outcome }) => ({ call, outcome: this.#withNear(outcome, call.name) }));
    return this.#format.results(told) as MessagesFor<Name>;
  }

  /** When it is first needed: who only answers pays for the tools that are called. */
  #define(tool: ToolDefinition): Defined<unknown> {
    const known = this.#defined.get(tool.name);
    if (known !== undefined) return known;
    const defined = this.#format.define({ name: this.#names.offered(tool.name) ?? tool.name, tool });
    this.#defined.set(tool.name, defined);
    return defined;
  }

  /** The gate knows tools by their own names, the model by those that were offered. */
  #withNear(outcome: Outcome, name: string): Outcome {
    if (outcome.kind !== "refused" || outcome.refusal.code !== "TOOL_UNKNOWN") return outcome;
    const near = this.#names.size > SEARCHED_MAX ? [] : nearest(name, this.#names.allOffered());
    if (near.length === 0) return outcome;
    const { message } = outcome.refusal;
    const names = near.map((each) => quoted(each)).join(", ");
    return { ...outcome, refusal: { ...outcome.refusal, message: `${message}; near it: ${names}` } };
  }
}

function namedBy(patterns: readonly string[]): (name: string) => boolean {
  const compiled = patterns.map((pattern) => new RegExp(`^${pattern.split("*").map(RegExp.escape).join(".*")}$`, "su"));
  return (name) => compiled.some((pattern) => pattern.test(name));
}

const refusedAs = (code: Refusal["code"], message: string): Meant => ({
  kind: "refused",
  refusal: { code, stage: code === "TOOL_UNKNOWN" ? "resolve" : "validate", message },
});
