import { type Draft, refuse, type Tool } from "../../../domain/call.ts";
import { NET_LIMITS } from "../../../domain/net-limits.ts";
import type { Refusal } from "../../../domain/outcome.ts";
import type { Plan } from "../../../domain/plan.ts";
import type { ToolEffects } from "../../../domain/tool-effects.ts";
import type { Touch } from "../../../domain/touch.ts";
import { quoted } from "../../../domain/visible.ts";
import { type WebTarget, webUrlFrom } from "../../../domain/web-target.ts";
import type { ConnectGrant } from "../../../ports/egress.ts";
import type { Web } from "../../../ports/web.ts";
import type { SecretIn } from "../../../redact/known-secret-in.ts";
import { connectGrant } from "../../../rules/connect-grant.ts";
import { makeTool } from "../../make-tool.ts";
import { withCheck } from "../with-check.ts";
import { REQUEST_SCHEMA, type RequestInput, requestErrors } from "./request-input.ts";
import { resultOf } from "./response-result.ts";

/** The tool's own time ends before the gate's, so that it says itself how it ended. */
export const GATE_MS = NET_LIMITS.webMs.maximum + 5000;

/** What a server does with a request, nobody here can say. */
const EFFECTS = {
  filesystem: { read: false, write: false, delete: false },
  network: true,
  subprocess: false,
  interactive: { stdin: "none", prompts: false, tty: false },
} as const satisfies ToolEffects;

const DEFINITION = {
  name: "web_request",
  description:
    "Makes an HTTP request and answers with the body, the status, the headers and the URLs on the way. Redirects to other hosts are followed only if they are named in `redirectsTo`. Text comes back as text, pictures as pictures, anything else as base64.",
  source: "builtin",
  containment: "process",
  effects: EFFECTS,
  timeoutMs: GATE_MS,
  inputSchema: REQUEST_SCHEMA,
} as const;

export interface WebRequestPorts {
  readonly web: Web;
  /** Whether a text holds a secret of the configuration. */
  readonly secretIn: SecretIn;
}

export function webRequestTool({ web, secretIn }: WebRequestPorts): Tool<RequestInput> {
  const tool = makeTool<RequestInput>({
    definition: DEFINITION,
    plan({ input }): Draft {
      const urls = [input.url, ...(input.redirectsTo ?? [])].map((url) => ({ url, parsed: webUrlFrom(url) }));
      for (const { url, parsed } of urls)
        if (!parsed.ok) return refuse(blocked(`${quoted(url, { max: 300 })} can't be asked for: ${parsed.because}`));
      const secret = secretIn(JSON.stringify(input)) ?? secretIn(textsOf(input).join("\n"));
      if (secret !== null) return refuse(holdsSecret(secret));
      const [first, ...rest] = urls.flatMap(({ parsed }) => (parsed.ok ? [touchOf(parsed.value)] : []));
      if (first === undefined) throw new TypeError("a request has a URL");
      return { kind: "drafted", plan: { touches: [first, ...withoutDoubles(first, rest)], operands: [] } };
    },
    async run({ input, plan, seal }, signal) {
      const { url, method = "GET", headers = {}, body } = input;
      const request = {
        url,
        method,
        headers: {
          ...(body !== undefined && { "content-type": "text/plain; charset=utf-8" }),
          ...Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])),
        },
        body: body === undefined ? null : Buffer.from(body),
        bytesMax: input.limitBytes ?? NET_LIMITS.webResponseBytes.default,
        redirectsMax: input.redirects ?? NET_LIMITS.webRedirects.default,
        timeoutMs: input.timeoutMs ?? NET_LIMITS.webMs.default,
      };
      return resultOf(await web.fetch(request, judgedGrant(plan, seal.grant.connect), signal));
    },
  });
  return withCheck(tool, requestErrors);
}

export const touchOf = ({ host, port, scheme }: WebTarget): Touch => ({ kind: "connect", host, port, scheme });

/**
 * INVARIANT (judged = connected): what the plan touches, host by host, and nothing else. Names may lead into a network
 * of ours only where a grant of the rules names the address: the plan was judged by the name.
 */
export function judgedGrant({ touches }: Pick<Plan, "touches">, granted: readonly string[]): ConnectGrant {
  const isJudged = (host: string, port: number): boolean =>
    touches.some((touch) => touch.kind === "connect" && touch.host === host && touch.port === port);
  const more = connectGrant(granted);
  return { covers: isJudged, names: (host, port) => isJudged(host, port) || more.names(host, port) };
}

function withoutDoubles(first: Touch, rest: readonly Touch[]): readonly Touch[] {
  const seen = new Set([JSON.stringify(first)]);
  return rest.filter((touch) => {
    const key = JSON.stringify(touch);
    return !seen.has(key) && seen.add(key);
  });
}

const textsOf = ({ url, headers = {}, body = "" }: RequestInput): readonly string[] => [
  url,
  ...Object.entries(headers).flat(),
  body,
];

const blocked = (message: string): Refusal => ({ code: "EGRESS_BLOCKED", stage: "plan", message });

const holdsSecret = (name: string): Refusal => ({
  ...blocked(`the request holds the value of the secret ${quoted(name)}, which no tool may send`),
  hint: "leave it out; the gate sends its secrets itself, to the hosts that the configuration names",
});
