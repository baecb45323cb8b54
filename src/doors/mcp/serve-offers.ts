import {
  type GetPromptResult,
  ProtocolError,
  type ReadResourceResult,
  type Server,
  type ServerContext,
} from "@modelcontextprotocol/server";
import type { JsonValue } from "../../domain/json.ts";
import type { Outcome } from "../../domain/outcome.ts";
import type { Gate } from "../../wiring/gate.ts";
import type { OfferedResource } from "../../wiring/upstreams.ts";
import { outcomeMeta, refusalOf } from "./call-result.ts";
import { type CallParts, governedCall } from "./governed-call.ts";
import { notThere } from "./old-codes.ts";
import { pageOf } from "./page-of.ts";
import { INVALID_PARAMS } from "./wire-errors.ts";

/**
 * How long a list waits for upstreams that were never seen. Some clients give a server ten seconds to start, and one upstream
 * that does not must not take all others away; what comes later is told as a change.
 */
export const LISTING = { withinMs: 8000 } as const;

/** What a server can do where the gate has upstreams. */
export const OFFER_CAPABILITIES = { prompts: { listChanged: true }, resources: { listChanged: true } } as const;

/** Prompts and resources of upstreams: listed as they are pinned, and got by calls of the gate like any other. */
export function serveOffers(server: Server, parts: CallParts): void {
  const { upstreams } = parts.gate;
  server.setRequestHandler("prompts/list", async ({ params }) => {
    await upstreams.ready(LISTING);
    const { items, next } = pageOf(upstreams.offers.prompts(), ({ name }) => name, params?.cursor);
    return {
      prompts: items.map(({ tool: _, ...prompt }) => ({ ...prompt, arguments: [...prompt.arguments] })),
      ...next,
    };
  });
  server.setRequestHandler("resources/list", async ({ params }) => {
    await upstreams.ready(LISTING);
    const { items, next } = pageOf(upstreams.offers.resources(), ({ uri }) => uri, params?.cursor);
    return { resources: items.map((one) => ({ ...said(one), uri: one.uri })), ...next };
  });
  server.setRequestHandler("resources/templates/list", async ({ params }) => {
    await upstreams.ready(LISTING);
    const { items, next } = pageOf(upstreams.offers.templates(), ({ uri }) => uri, params?.cursor);
    return { resourceTemplates: items.map((one) => ({ ...said(one), uriTemplate: one.uri })), ...next };
  });
  server.setRequestHandler("prompts/get", async ({ params: { name, arguments: input = {} } }, ctx) => {
    await upstreams.ready();
    const prompt = upstreams.offers.prompts().find((one) => one.name === name);
    if (prompt === undefined) throw new ProtocolError(INVALID_PARAMS, "there is no prompt of this name");
    const told = (outcome: Outcome) => promptFrom(outcome, parts.gate);
    return await governedCall({ tool: prompt.tool, input: input as JsonValue, told }, ctx, parts);
  });
  server.setRequestHandler("resources/read", ({ params: { uri } }, ctx) => readResource(uri, ctx, parts));
}

async function readResource(uri: string, ctx: ServerContext, parts: CallParts) {
  const { upstreams } = parts.gate;
  await upstreams.ready();
  const tool = upstreams.offers.readerOf(uri);
  if (tool === null) throw notThere(uri);
  const told = (outcome: Outcome) => resourceFrom(outcome, uri, parts.gate);
  return await governedCall({ tool, input: {}, told }, ctx, parts);
}

const said = ({ name, title, description, mimeType }: OfferedResource) => ({
  name,
  ...(title !== undefined && { title }),
  ...(description !== undefined && { description }),
  ...(mimeType !== undefined && { mimeType }),
});

/** What the gate gave, or the error that says why it did not: neither has a result that could say so. */
function contentOf(outcome: Outcome, gate: Gate) {
  if (outcome.kind !== "completed") throw refusalOf(outcome);
  const call = { id: outcome.callId, isIdGiven: true, name: outcome.tool, input: { value: {} } };
  const [result] = gate.offer("mcp").results([{ call, outcome }]);
  return { content: result?.content ?? [], structured: outcome.structured ?? {} };
}

function promptFrom(outcome: Outcome, gate: Gate): GetPromptResult {
  const { content, structured } = contentOf(outcome, gate);
  const { description, roles } = structured;
  // Where it was too long, parts of it are gone, and nobody knows which were whose.
  const whose = Array.isArray(roles) && roles.length === content.length ? roles : [];
  return {
    ...(typeof description === "string" && { description }),
    messages: content.map((item, at) => ({ role: whose[at] === "assistant" ? "assistant" : "user", content: item })),
    _meta: outcomeMeta(outcome),
  } as GetPromptResult;
}

function resourceFrom(outcome: Outcome, uri: string, gate: Gate): ReadResourceResult {
  // Its upstream has said so; of addresses that a template lets through nobody else knows.
  if (outcome.kind === "failed" && outcome.error.code === "FILE_NOT_FOUND") throw notThere(uri);
  const contents = contentOf(outcome, gate).content.map((item) =>
    item.type === "resource" ? item.resource : { uri, text: item.type === "text" ? item.text : "" },
  );
  return { contents, _meta: outcomeMeta(outcome) } as ReadResourceResult;
}
