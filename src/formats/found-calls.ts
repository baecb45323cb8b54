import type { ResponsePart } from "./response-part.ts";

/** The arguments of a call as the provider wrote them. */
export type GivenInput =
  /** JSON text, not read yet. */
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "value"; readonly value: unknown }
  /** It is a call, and can't be made: why, in words for the model. */
  | { readonly kind: "unusable"; readonly because: string };

/** Arguments that the provider writes as a text. Of any other kind they are the model's or a server's mistake, in this call alone. */
export const textInput = (given: ResponsePart): GivenInput =>
  typeof given.value === "string"
    ? { kind: "text", text: given.value }
    : { kind: "unusable", because: `the arguments have to be a text that holds JSON, and are ${given.found}` };

/** Arguments that are a part of the response. What they have to be is for the tool's schema to say; there have to be some. */
export const valueInput = (given: ResponsePart): GivenInput =>
  given.isAbsent ? { kind: "unusable", because: "the arguments are missing" } : { kind: "value", value: given.value };

/** A call as it stands in a response. */
export interface FoundCall {
  /** Null = the provider gave it none. */
  readonly id: string | null;
  readonly name: string;
  readonly input: GivenInput;
  /** How the response spells its names, where the provider's package and its wire differ; the result does the same. */
  readonly spelling?: "camelCase" | "snake_case";
}

export interface FoundCalls {
  readonly calls: readonly FoundCall[];
  /** Why the response ends before its time; null where it does not. Then the last call may not be whole. */
  readonly cutBy: string | null;
}

/** A reason that is one of those which cut a response short. */
export const cutReason = (reason: unknown, cutting: ReadonlySet<string>): string | null =>
  typeof reason === "string" && cutting.has(reason) ? reason : null;
