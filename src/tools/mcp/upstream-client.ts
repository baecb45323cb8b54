import { Client, type jsonSchemaValidator } from "@modelcontextprotocol/client";
import type { JsonObject } from "../../domain/json.ts";
import { LIMITS } from "../../domain/limits.ts";
import { compileSchema } from "../../schema/compile-schema.ts";

const CLIENT = { name: "toolgate", version: "1" } as const;

/**
 * How an upstream is greeted: asked which era it is of, for a short time or for as long as a slow one may need, or with the
 * handshake of before 2026-07-28 and nothing else.
 */
export type Greeting = "asked" | "asked at length" | "handshake";

/** No capabilities: an upstream asks nobody, reads no roots and has no model. */
export const newClient = (greeting: Greeting): Client =>
  new Client(CLIENT, {
    capabilities: {},
    // INVARIANT (sent once): else one that asks for nothing but to be called again is, ten times.
    inputRequired: { autoFulfill: false },
    // As many as there may be tools, each on a page of its own; `ListFilter` sees to the rest.
    listMaxPages: LIMITS.upstreamTools.default,
    versionNegotiation:
      greeting === "handshake" ? { mode: "legacy" } : { mode: "auto", probe: { timeoutMs: PROBE_MS[greeting] } },
    jsonSchemaValidator: OWN_VALIDATOR,
  });

/** Old servers may say nothing at all to a method that they don't know. One that only starts slowly answers after all: see `Greeter`. */
const PROBE_MS = { asked: 2000, "asked at length": 15_000, handshake: 0 } as const satisfies Record<Greeting, number>;

/** How long the handshake may take, so that both together take no longer than a start may. */
export const handshakeMs = (greeting: Greeting): number => LIMITS.upstreamStartMs.default - PROBE_MS[greeting];

/** The gate's own checker: patterns in linear time, nothing fetched. A schema that it can't read checks nothing. */
const OWN_VALIDATOR: jsonSchemaValidator = {
  getValidator: <T>(schema: unknown) => {
    const compiled = compileSchema(schema as JsonObject);
    return (input: unknown) => {
      const [error] = "problem" in compiled ? [] : compiled.check(input as JsonObject);
      return error === undefined
        ? { valid: true as const, data: input as T, errorMessage: undefined }
        : { valid: false as const, data: undefined, errorMessage: error.message };
    };
  },
};

/**
 * Since 2026-07-28 a change of a list is told only to who asks for it. Without an answer changes are seen at the next
 * connection, and a call of what has changed is refused all the same: the list is held against the pins before each.
 */
export async function listen(client: Client): Promise<void> {
  if (client.getProtocolEra() !== "modern") return;
  const { tools, prompts, resources } = client.getServerCapabilities() ?? {};
  const filter = {
    ...(tools?.listChanged && { toolsListChanged: true }),
    ...(prompts?.listChanged && { promptsListChanged: true }),
    ...(resources?.listChanged && { resourcesListChanged: true }),
  };
  if (Object.keys(filter).length > 0) await client.listen(filter).catch(() => {});
}
