import { LIMITS } from "../../../domain/limits.ts";
import type { Gate } from "../../../wiring/gate.ts";
import { type Identity, mayUse } from "../../wire/identity.ts";
import { problem, problemFromRefusal } from "../../wire/problem.ts";
import { json, type Route, route } from "../route.ts";

export const readBlob: Route = route({
  id: "readBlob",
  method: "GET",
  path: "/my/projects/{project}/blobs/{hash}",
  summary:
    "What was too long for a result, whole. Its address is the BLAKE3 of what was stored. An agent reads only what came of its own calls or was stored by it; a person who answers no questions, what came of their own calls, and evidence.",
  access: "any",
  query: {
    type: "object",
    additionalProperties: false,
    properties: {
      seq: {
        type: "integer",
        minimum: 1,
        description:
          "who does not answer questions: the ledger entry that tells of it, as `receipt` names it; without, the last calls are looked through",
      },
    },
  },
  answers: {
    200: { means: "the bytes", schema: { type: "string" }, mediaType: "application/octet-stream" },
    403: { means: "the lease does not cover it any more" },
    404: { means: "nothing is kept under this hash" },
    422: { means: "that is no hash" },
  },
  handle: async ({ params, query, identity }, { gate }) => {
    const hash = params["hash"] ?? "";
    const refused = refusedTo(identity, gate, hash, query.seq);
    if (refused !== null) return refused;
    const found = await gate.blobs.get(hash);
    if (!found.ok) {
      const { code, message, hint } = found.fault;
      return problem(code, { detail: message, ...(hint && { hint }) });
    }
    // Never rendered: whatever a tool printed is data, here as everywhere.
    return new Response(ReadableStream.from(found.value.chunks()), {
      headers: {
        "Content-Type": "application/octet-stream",
        "Content-Disposition": `attachment; filename="${found.value.hash}"`,
      },
    });
  },
});

/** INVARIANT (knowing is not owning): what came of others' calls is not there, whatever hash somebody knows; see `record-for.ts`. */
function refusedTo(identity: Identity, gate: Gate, hash: string, seq: number | undefined): Response | null {
  const refused = refusalFor(identity, gate, hash, seq);
  if (refused === null) return null;
  if (refused !== "unknown") return problemFromRefusal(refused);
  return problem("BLOB_NOT_FOUND", {
    detail: "nothing is kept under this hash that came of your calls",
    hint: "name the entry that tells of it: `?seq=` with the number of the outcome's receipt",
  });
}

function refusalFor(identity: Identity, { executions }: Gate, hash: string, seq: number | undefined) {
  if (identity.session !== null) return executions.blobFor(identity.session, hash, seq);
  const isShown = mayUse(identity, "approver") || executions.isBlobFor(identity.actor, hash, seq);
  return isShown ? null : "unknown";
}

export const storeBlob: Route = route({
  id: "storeBlob",
  method: "POST",
  path: "/my/projects/{project}/blobs",
  summary: "Keep some bytes. Their address is their BLAKE3; what is there already is not kept twice.",
  access: "caller",
  query: {
    type: "object",
    additionalProperties: false,
    properties: {
      hash: {
        type: "string",
        pattern: "^[0-9a-f]{64}$",
        description: "what they have to hash to; with another hash nothing is kept",
      },
    },
  },
  bytes: { max: LIMITS.blobBytes.default },
  answers: {
    201: {
      means: "they are kept, and the ledger tells of it",
      schema: {
        type: "object",
        required: ["hash", "bytes", "receipt"],
        properties: {
          hash: { type: "string" },
          bytes: { type: "integer" },
          receipt: { $ref: "#/components/schemas/Receipt" },
        },
      },
    },
    403: { means: "the lease does not let this agent keep anything" },
    413: { means: "that is too much" },
    415: { means: "the body has to be `application/octet-stream`" },
    422: { means: "the bytes have another hash" },
    429: { means: "more than one caller may do in a minute" },
    503: { means: "the project's blobs take up as much as they may, or the ledger can't be written" },
  },
  handle: async ({ query, bytes, identity }, { gate, callRate }) => {
    const { actor, session } = identity;
    const waitSeconds = callRate.waitSeconds(actor);
    if (waitSeconds !== null)
      return problem("TOO_MANY_REQUESTS", {
        detail: "too much in a minute",
        retryAfterSeconds: waitSeconds,
        headers: CLOSE,
      });
    const stored = await gate.blobs.put(bytes, {
      actor,
      session,
      ...(query.hash !== undefined && { hash: query.hash }),
    });
    if (stored.kind === "stored") return json(201, { hash: stored.hash, bytes: stored.bytes, receipt: stored.receipt });
    if (stored.kind === "refused") return problemFromRefusal(stored.refusal);
    const { code, message, hint } = stored.fault;
    return code === "BLOB_DAMAGED"
      ? problem("HASH_INVALID", { detail: message, hint: "secrets are taken out first, which changes a hash" })
      : problem(code, { detail: message, ...(hint && { hint }), headers: CLOSE });
  },
});

/** What is still on its way is not wanted. */
const CLOSE = { Connection: "close" } as const;
