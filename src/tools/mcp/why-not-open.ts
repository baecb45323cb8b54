import { InsufficientScopeError } from "@modelcontextprotocol/client";
import { LateDiscovery } from "./late-discovery.ts";
import type { ProgramTransport } from "./program-transport.ts";
import { fault, type UpstreamFault } from "./upstream-fault.ts";
import { WebFetchError } from "./web-fetch.ts";

/** Rejects with the program's end: there is nobody left who could answer. */
export const endOf = async ({ ended }: ProgramTransport): Promise<never> => {
  await ended;
  throw new Error(ENDED);
};

const ENDED = "it ended before it answered";

/** Of an answer by HTTP that the SDK takes for none; null = it is something else, such as an error that the upstream itself words. */
export function statusOf(error: unknown): number | null {
  if (error instanceof InsufficientScopeError) return FORBIDDEN;
  const { code, data } = error as { readonly code?: unknown; readonly data?: { readonly status?: unknown } };
  return typeof code !== "number" && typeof data?.status === "number" ? data.status : null;
}

const FORBIDDEN = 403;

/** What a person can do something with. */
export async function whyNotOpen(error: unknown, program: ProgramTransport | null): Promise<UpstreamFault> {
  if (error instanceof WebFetchError) return error.fault;
  if (error instanceof LateDiscovery) return { ...fault("SPAWN_FAILED", error.message), isLate: true };
  const message = error instanceof Error ? error.message : String(error);
  if (program === null) {
    const status = statusOf(error);
    const hint =
      status === 401 || status === 403 ? "give it a token that it takes, in `headers`" : "look at its address";
    return fault("CONNECT_FAILED", `it can't be spoken to: ${message.replace(/\s+/g, " ").slice(0, SAID_MAX)}`, hint);
  }
  const end = await program.ended;
  if (end.kind === "refused")
    return fault(end.fault.code === "CONFLICT" ? "SPAWN_FAILED" : end.fault.code, end.fault.message, end.fault.hint);
  const last = program.notes.trim().split("\n").slice(-LAST_LINES).join("; ");
  const said = fault("SPAWN_FAILED", `it can't be spoken to: ${message}${last === "" ? "" : ` (${last})`}`);
  return message === ENDED ? { ...said, hasEnded: true } : said;
}

const LAST_LINES = 3;
/** Of an answer that is no MCP. */
const SAID_MAX = 400;
