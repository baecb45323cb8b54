import { type Draft, refuse, type Tool } from "../../../domain/call.ts";
import type { JsonValue } from "../../../domain/json.ts";
import { NET_LIMITS } from "../../../domain/net-limits.ts";
import type { RunResult } from "../../../domain/tool.ts";
import type { ToolEffects } from "../../../domain/tool-effects.ts";
import { webUrlFrom } from "../../../domain/web-target.ts";
import type { Web, WebFault, WebRequest, WebResponse } from "../../../ports/web.ts";
import type { SecretIn } from "../../../redact/known-secret-in.ts";
import { makeTool } from "../../make-tool.ts";
import { failedBy, resultOf } from "./response-result.ts";
import { type FoundPage, pagesIn, SEARCH_PROTOCOLS, type SearchBackend } from "./search-backend.ts";
import { GATE_MS, judgedGrant, touchOf } from "./web-request.ts";

const EFFECTS = {
  filesystem: { read: false, write: false, delete: false },
  network: true,
  subprocess: false,
  idempotent: true,
  reversible: true,
  destructive: false,
  interactive: { stdin: "none", prompts: false, tty: false },
} as const satisfies ToolEffects;

const QUERY_MAX = 400;

const DEFINITION = {
  name: "web_search",
  description: "Searches the web. Answers with titles, URLs and short texts of pages, the best first.",
  source: "builtin",
  containment: "process",
  effects: EFFECTS,
  timeoutMs: GATE_MS,
  inputSchema: {
    type: "object",
    properties: {
      query: { type: "string", minLength: 1, maxLength: QUERY_MAX, description: "what to look for" },
      limit: {
        type: "integer",
        minimum: NET_LIMITS.webResults.minimum,
        maximum: NET_LIMITS.webResults.maximum,
        description: `pages at the most, ${NET_LIMITS.webResults.default} if not given`,
      },
    },
    required: ["query"],
    additionalProperties: false,
  },
} as const;

type QueryInput = { readonly query: string; readonly limit?: number };

export interface WebSearchPorts {
  readonly web: Web;
  readonly backend: SearchBackend;
  readonly secretIn: SecretIn;
}

/** Results are strangers' words: they are handed on as they are, and nothing in them is followed. */
export function webSearchTool({ web, backend, secretIn }: WebSearchPorts): Tool<QueryInput> {
  const protocol = SEARCH_PROTOCOLS[backend.name];
  return makeTool<QueryInput>({
    definition: DEFINITION,
    plan({ input }): Draft {
      const parsed = webUrlFrom(backend.url);
      if (!parsed.ok)
        return refuse({
          code: "EGRESS_BLOCKED",
          stage: "plan",
          message: `the address of the search service can't be asked for: ${parsed.because}`,
          hint: "mend `tools.web.search.url` in the configuration",
        });
      if (secretIn(input.query) !== null)
        return refuse({
          code: "EGRESS_BLOCKED",
          stage: "plan",
          message: "the query holds the value of a secret, which no tool may send",
        });
      return { kind: "drafted", plan: { touches: [touchOf(parsed.value)], operands: [] } };
    },
    async run({ input, plan, seal }, signal) {
      const limit = input.limit ?? NET_LIMITS.webResults.default;
      const request: WebRequest = {
        ...protocol.request(backend.url, input.query.toWellFormed(), limit),
        secretHeader: backend.key === null ? undefined : { ...protocol.keyHeader, secret: backend.key },
        bytesMax: NET_LIMITS.webResponseBytes.maximum,
        redirectsMax: 0,
        timeoutMs: NET_LIMITS.webMs.default,
      };
      const answer = await web.fetch(request, judgedGrant(plan, seal.grant.connect), signal);
      // A search changes nothing, also one that is a POST: whether it was answered does not matter to the world.
      if (answer.kind === "lost") return signal.aborted ? { kind: "stopped" } : failedBy(NO_ANSWER);
      if (answer.kind !== "answered") return resultOf(answer);
      const pages = pagesOf(answer.response, limit);
      return "code" in pages ? failedBy(pages) : found(input.query, pages);
    },
  });

  function pagesOf({ status, body, isCut }: WebResponse, limit: number): readonly FoundPage[] | WebFault {
    if (status === 401 || status === 403) return bad(`refuses the key (${status})`, "mend `tools.web.search.key`");
    if (status !== 200) return bad(`answers with status ${status}`);
    const answer = isCut ? undefined : jsonFrom(body);
    const pages = answer === undefined ? null : pagesIn(answer, protocol, limit);
    return pages ?? bad(`answers with something that no ${backend.name} service says`, "see `tools.web.search`");
  }
}

const NO_ANSWER: WebFault = { code: "TIMEOUT", message: "the search service did not answer" };

const bad = (what: string, hint?: string): WebFault => ({
  code: "BAD_RESPONSE",
  message: `the search service ${what}`,
  ...(hint !== undefined && { hint }),
});

function jsonFrom(body: Uint8Array): JsonValue | undefined {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body));
  } catch {
    return undefined;
  }
}

const found = (query: string, pages: readonly FoundPage[]): RunResult => ({
  kind: "completed",
  content: [{ type: "text", text: pages.length === 0 ? "[no result]" : pages.map(inWords).join("\n\n") }],
  structured: { query, results: pages.map((page) => ({ ...page })) },
});

const inWords = ({ title, url, text }: FoundPage, index: number): string =>
  [`${index + 1}. ${oneLine(title)}`, `   ${oneLine(url)}`, ...(text === "" ? [] : [`   ${oneLine(text)}`])].join("\n");

/** So that no page can look like two. */
const oneLine = (text: string): string => text.replace(/\s+/g, " ").trim();
