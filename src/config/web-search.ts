import { isOfThisMachine } from "../domain/host.ts";
import { Secret } from "../domain/secret.ts";
import { quoted } from "../domain/visible.ts";
import { type WebUrl, webUrlFrom } from "../domain/web-target.ts";
import type { Path } from "../schema/mismatch.ts";
import type { RawConfig, RawSearch, ShapeProblem } from "./config-shape.ts";
import type { Variables } from "./variables.ts";

/** The service that `web_search` asks. */
export interface WebSearch {
  readonly backend: RawSearch["backend"];
  readonly url: string;
  readonly key: { readonly name: string; readonly value: Secret } | null;
}

export interface FoundWebSearch {
  /** Null = none is configured, or there are problems. */
  readonly search: WebSearch | null;
  readonly problems: readonly ShapeProblem[];
}

const AT: Path = ["tools", "web", "search"];

const URLS = {
  searxng: "http://localhost:8080",
  brave: "https://api.search.brave.com",
  tavily: "https://api.tavily.com",
} as const satisfies Record<RawSearch["backend"], string>;

/** Problems name the place, and never a value. */
export function webSearchFrom(raw: RawConfig, variables: Variables): FoundWebSearch {
  const given = raw.tools?.web?.search;
  if (given === undefined) return { search: null, problems: [] };
  const { backend, url = URLS[backend], key } = given;
  const value = key === undefined ? undefined : variables[key.secret];
  const parsed = webUrlFrom(url);
  const problems = [
    ...(parsed.ok
      ? []
      : [problem("url", `the service's address ${quoted(url)} can't be asked for: ${parsed.because}`)]),
    ...(backend !== "searxng" && key === undefined
      ? [problem(null, `\`${backend}\` needs a \`key\``, "write `key: { secret: NAME }` and set the variable NAME")]
      : []),
    ...(key !== undefined && (value === undefined || value === "")
      ? [problem("key", `the variable ${quoted(key.secret)} is not set`, "set it, or take `key` out")]
      : []),
    ...(value !== undefined && parsed.ok && isReadOnTheWay(parsed.value)
      ? [problem("url", "the key would be sent where everybody on the way can read it", "use `https://`")]
      : []),
  ];
  if (problems.length > 0 || !parsed.ok) return { search: null, problems };
  const named = key === undefined || value === undefined ? null : { name: key.secret, value: new Secret(value) };
  return { search: { backend, url: parsed.value.href, key: named }, problems };
}

/** What is sent there goes over the network in the clear. */
export const isReadOnTheWay = ({ scheme, host }: Pick<WebUrl, "scheme" | "host">): boolean =>
  scheme === "http" && !isOfThisMachine(host);

const problem = (field: "url" | "key" | null, message: string, hint?: string): ShapeProblem => ({
  path: field === null ? AT : [...AT, field],
  what: "value",
  message,
  ...(hint !== undefined && { hint }),
});
