import type { Session } from "../../domain/lease.ts";
import { LIMITS } from "../../domain/limits.ts";
import type { Outcome, Refusal } from "../../domain/outcome.ts";
import type { Gate, GateCall } from "../../wiring/gate.ts";
import { bodyBytes } from "../wire/body-bytes.ts";
import { type Identity, mayUse } from "../wire/identity.ts";
import { problem } from "../wire/problem.ts";
import { noRoom } from "../wire/read-body.ts";
import type { Door, DoorParts, ServerContext } from "../wire/server-env.ts";
import { takenOut } from "../wire/taken-out.ts";
import type { Tokens } from "../wire/tokens.ts";

const PATH = "/toolgate.kernel.v1.ToolKernel/Execute";
const TYPE = "application/proto";
const BYTES_MAX = LIMITS.requestBytes.default;

/** The APM2 protocol on the server: a unary call of Connect, with the messages as they are. What reads them is loaded with the first. */
export const rpcDoor: Door = {
  name: "rpc",
  publicPaths: [],
  mount: (app, parts) => {
    app.post(PATH, async (context) => {
      context.set("route", PATH);
      const identity = context.get("identity");
      if (!mayUse(identity, "caller")) return problem("ROLE_REQUIRED", { detail: "this needs the role `caller`" });
      if (context.req.header("content-type") !== TYPE || context.req.header("content-encoding") !== undefined)
        return problem("MEDIA_TYPE_UNSUPPORTED", { detail: `the body has to be sent as \`${TYPE}\`, not compressed` });
      const bytes = await bodyBytes(context, BYTES_MAX).catch(() => undefined);
      if (bytes === undefined) return problem("REQUEST_INVALID", { detail: "the body broke off" });
      if (bytes === "no room") return noRoom();
      if (bytes === "too long")
        return problem("BODY_TOO_LARGE", { detail: `a request has at most ${BYTES_MAX} bytes`, headers: CLOSE });
      return await answer(context, bytes, identity, parts);
    });
  },
};

const CLOSE = { Connection: "close" };

async function answer(
  context: ServerContext,
  bytes: Uint8Array,
  identity: Identity,
  parts: DoorParts,
): Promise<Response> {
  const { gate, callRate, stopping, tokens } = parts;
  const until = AbortSignal.any([context.req.raw.signal, stopping]);
  const { answerRequest } = await import("./answer-request.ts");
  let gone: Response | null = null;
  const answered = await answerRequest(bytes, {
    gate,
    // INVARIANT (who is who): a person who has an agent's token calls in its session, and not in its name.
    ...(identity.session === null && { actor: identity.actor }),
    from: context.env.incoming.socket.remoteAddress ?? "",
    refusalOf: (session) => foreign(identity, session) ?? tooMany(identity, session, callRate),
    make: async (call) => {
      const outcome = await settled(call, gate, until);
      gone = await whoIsGone(outcome, call, identity, tokens);
      return outcome;
    },
  });
  return gone ?? new Response(new Uint8Array(answered), { headers: { "Content-Type": TYPE } });
}

/** Who came, and the session that they named: both have to hold still. As over REST, that a call was not run is told all the same. */
async function whoIsGone(
  { kind }: Outcome,
  { session }: GateCall,
  identity: Identity,
  tokens: Tokens,
): Promise<Response | null> {
  const person = identity.session === null ? await takenOut(identity, tokens) : null;
  if (person !== null || kind === "refused" || kind === "pending") return person;
  const { login: _, ...named } = { ...identity, user: null, session: session ?? null };
  return await takenOut(named, tokens);
}

/** It goes on without its caller, and who comes again with the same `dedupe_key` hears what became of it. */
async function settled(call: GateCall, { executions }: Gate, until: AbortSignal): Promise<Outcome> {
  const first = await executions.execute(call);
  if (first === null) return busy(call.tool);
  return first.kind === "pending" ? await executions.settled(first, until) : first;
}

/** An agent came in with its own token, and may not act in a session that it has learned the token of. */
const foreign = ({ session: own }: Identity, { id }: Session): Refusal | null =>
  own === null || own.id === id
    ? null
    : {
        code: "LEASE_SCOPE",
        stage: "resolve",
        message: "the request names another session than the one that its connection is for",
        hint: "send the same token in `Authorization` and in `session_token`",
      };

/**
 * A person may have the tokens of many sessions: what each may start, they may not start together. They are counted first:
 * what they may not start uses up nothing of what an agent may.
 */
function tooMany({ actor, session: own }: Identity, { id }: Session, rate: DoorParts["callRate"]): Refusal | null {
  return (own === null ? rate.refusal(actor) : null) ?? rate.refusal(`session:${id}`);
}

const busy = (tool: string): Outcome => ({
  kind: "refused",
  callId: "",
  tool,
  durationMs: 0,
  refusal: {
    code: "RATE_LIMITED",
    stage: "resolve",
    message: "as many calls run and wait as the server takes on",
    hint: "try again in a second",
  },
});
