import type { Outcome } from "../domain/outcome.ts";
import type { ToolDefinition } from "../domain/tool.ts";
import type { FoundCalls } from "./found-calls.ts";
import type { ReadCall } from "./read-calls.ts";
import type { ResponsePart } from "./response-part.ts";
import type { Restore } from "./schema/restore.ts";
import type { NameRule } from "./tool-names.ts";

/** A tool and the name under which the provider knows it. */
export interface NamedTool {
  readonly name: string;
  readonly tool: ToolDefinition;
}

export interface Defined<Definition> {
  readonly definition: Definition;
  readonly restore: Restore;
}

/** A call of a response, and what became of it. */
export interface Answered {
  readonly call: ReadCall;
  readonly outcome: Outcome;
}

/** One provider's way to write tools, calls and results. Its folder has a file for each of the three. */
export interface Format<Definition, Tools, Message> {
  readonly names: NameRule;
  readonly define: (tool: NamedTool) => Defined<Definition>;
  /** The definitions as a request takes them. */
  readonly tools: (definitions: Definition[]) => Tools;
  readonly find: (response: ResponsePart) => FoundCalls;
  /** What goes into the next request, behind the response itself. None where there are no answers. */
  readonly results: (answers: readonly Answered[]) => Message[];
}
