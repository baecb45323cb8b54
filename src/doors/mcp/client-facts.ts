import {
  type ElicitRequestFormParams,
  ProtocolError,
  SdkError,
  type ServerContext,
} from "@modelcontextprotocol/server";
import type { Raised } from "./open-call.ts";
import { type FormAnswer, formAnswer } from "./question-form.ts";

/** What a client says of itself. Nobody checks it, and nothing is allowed because of it. */
export interface ClientFacts {
  readonly name: string;
  readonly capabilities: Capabilities;
}

export interface Capabilities {
  readonly elicitation?: { readonly form?: unknown; readonly url?: unknown } | undefined;
  readonly roots?: unknown;
}

const NAME_MAX = 64;

/** For `who` and `actor` in the ledger: the name that the client has given itself, short and visible. */
export const clientName = (given: unknown): string =>
  typeof given === "string" && given !== "" ? `mcp client ${given.slice(0, NAME_MAX)}` : "mcp client";

/** An empty capability means forms, as it did before there was another kind. */
export const canFillForms = ({ capabilities: { elicitation } }: ClientFacts): boolean =>
  elicitation !== undefined && (elicitation.form !== undefined || elicitation.url === undefined);

/** Whether a request to the client failed because of the client: it refused, has gone, took too long, or was let off. */
export const isOfTheClient = (error: unknown): boolean =>
  error instanceof ProtocolError ||
  error instanceof SdkError ||
  (error as { name?: unknown } | null)?.name === "AbortError";

/** Asks by a request to the client, until somebody has answered. Null: no answer came this way. */
export async function askByElicitation(
  form: ElicitRequestFormParams,
  { deadlineMs, signal }: Raised,
  { mcpReq }: ServerContext,
): Promise<FormAnswer | null> {
  try {
    const timeout = Math.max(1, deadlineMs - Date.now());
    // Not by `elicitInput`, which takes an answer that does not fit the form for none: here it is a no.
    const params = { ...form } as Record<string, unknown>;
    const { action, content } = await mcpReq.send({ method: "elicitation/create", params }, { signal, timeout });
    return formAnswer(action, content);
  } catch (error) {
    if (!isOfTheClient(error)) throw error;
    return null; // the client can't after all, or has gone, or somebody else was first
  }
}
