import type { Entry } from "../../../domain/entry.ts";
import { LIMITS } from "../../../domain/limits.ts";
import { problem } from "../../wire/problem.ts";
import { entryFor } from "../record-for.ts";
import { json, type Route, route } from "../route.ts";
import { LIMIT_QUERY } from "../schemas.ts";

const ENTRY = {
  type: "object",
  required: ["seq", "at", "kind", "hash", "prev", "body"],
  description:
    "`withheld` names members of its body that are not for whoever reads it: what a call of others was refused for, in words. Its hash is of the whole",
} as const;

export const ledgerEntries: Route = route({
  id: "ledgerEntries",
  method: "GET",
  path: "/my/projects/{project}/ledger",
  summary: "Entries of the ledger in their order, or those of one call.",
  access: "person",
  query: {
    type: "object",
    additionalProperties: false,
    properties: {
      call_id: { type: "string", maxLength: LIMITS.idLength.maximum },
      limit: LIMIT_QUERY,
      cursor: { type: "string", pattern: "^[0-9]{1,15}$", description: "`next` of the page before" },
    },
  },
  answers: {
    200: {
      means: "a page of them",
      schema: {
        type: "object",
        required: ["entries", "size", "next"],
        properties: {
          entries: { type: "array", items: ENTRY },
          size: { type: "integer" },
          next: { type: ["string", "null"] },
        },
      },
    },
  },
  handle: ({ query, identity }, { gate }) => {
    const { call_id: callId, limit = LIMITS.pageItems.default, cursor = "0" } = query;
    const size = gate.ledger.size();
    const shown = (entry: Entry) => entryFor(entry, identity, gate);
    if (callId !== undefined) return json(200, { entries: gate.ledger.entriesOf(callId).map(shown), size, next: null });
    const from = Number(cursor) + 1;
    const entries = Array.from(gate.ledger.entries({ from, to: from + limit - 1 }), shown);
    const last = entries.at(-1)?.seq ?? size;
    return json(200, { entries, size, next: last < size ? String(last) : null });
  },
});

export const verifyLedger: Route = route({
  id: "verifyLedger",
  method: "POST",
  path: "/my/projects/{project}/ledger/verify",
  summary: "Read all of the ledger, and say whether it is what was written.",
  access: "admin",
  body: { type: "object", additionalProperties: false, properties: {} },
  answers: {
    200: {
      means: "`ok`, or what is wrong and where",
      schema: { type: "object", required: ["ok"], properties: { ok: { type: "boolean" } } },
    },
  },
  handle: async (_, { gate }) => json(200, await gate.ledger.verify()),
});

export const proveEntry: Route = route({
  id: "proveEntry",
  method: "GET",
  path: "/my/projects/{project}/ledger/{seq}/proof",
  summary: "A proof, for somebody who holds a checkpoint, that the entry is under it.",
  access: "person",
  answers: {
    200: {
      means: "the proof",
      schema: { type: "object", required: ["entry", "index", "size", "root", "proof", "checkpoint"] },
    },
    404: { means: "there is no such entry, or no checkpoint covers it yet" },
  },
  handle: async ({ params, identity }, { gate }) => {
    const seq = Number(/^[1-9]\d{0,14}$/.exec(params["seq"] ?? "")?.[0] ?? 0);
    const proof = seq === 0 ? null : await gate.ledger.prove(seq);
    return proof === null
      ? problem("ENTRY_UNKNOWN", {
          detail: "no checkpoint covers such an entry",
          hint: "a checkpoint is made every second",
        })
      : json(200, { ...proof, entry: entryFor(proof.entry, identity, gate) });
  },
});
