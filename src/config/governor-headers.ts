// biome-ignore-all lint/suspicious/noTemplateCurlyInString: it is what people write into the file

import type { JsonObject } from "../domain/json.ts";
import { Secret } from "../domain/secret.ts";
import type { UpstreamValue } from "../domain/upstream.ts";
import { quoted } from "../domain/visible.ts";
import { isSecretValue } from "./secret-like.ts";
import type { Variables } from "./variables.ts";

/** RFC 9110, section 5.1. */
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,64}$/;
/** RFC 9110, section 5.5: nothing that could begin another header. */
const VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;
const WRITTEN = "`${NAME}`";
const REFERENCE = /\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g;
/** Those that say how the request is sent. */
const OURS: ReadonlySet<string> = new Set([
  ...["accept-encoding", "connection", "content-length", "content-type", "expect", "host"],
  ...["te", "trailer", "transfer-encoding", "upgrade"],
]);

export interface FoundHeaders {
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, UpstreamValue>>;
  /** The variables that they hold, by name. */
  readonly secrets: readonly { readonly name: string; readonly value: Secret }[];
  readonly problems: readonly HeaderProblem[];
  /** What whoever wrote them should know. */
  readonly notes: readonly HeaderProblem[];
}

export interface HeaderProblem {
  /** Null = all of them together. */
  readonly header: string | null;
  readonly message: string;
  readonly hint: string;
}

/** `${NAME}` is a variable of the environment. Problems name the place and never a value. */
export function headersFrom(given: JsonObject, variables: Variables): FoundHeaders {
  const headers = new Map<string, UpstreamValue>();
  const secrets = new Map<string, Secret>();
  const problems: HeaderProblem[] = [];
  const notes: HeaderProblem[] = [];
  for (const [header, text] of Object.entries(given)) {
    const problem = (message: string, hint: string) => void problems.push({ header, message, hint });
    const name = header.toLowerCase();
    if (!TOKEN.test(header)) problem(`${quoted(header)} is no name of a header`, "use letters, digits and `-`");
    else if (OURS.has(name)) problem(`the header ${quoted(header)} is the gate's own`, "take it out");
    else if (headers.has(name)) problem(`the header ${quoted(header)} is there twice`, "leave one");
    if (typeof text !== "string") {
      problem("a header is a text", "write it in quotes");
      continue;
    }
    const names = [...text.matchAll(REFERENCE)].map(([, variable = ""]) => variable);
    const unset = names.filter((variable) => !variables[variable]);
    for (const variable of unset) problem(`the variable ${quoted(variable)} is not set`, "set it, or take it out");
    if (text.replace(REFERENCE, "").includes("${"))
      problem("`${` begins a variable's name, and there is none", `write ${WRITTEN}`);
    if (unset.length === 0 && !VALUE.test(expanded(text, variables)))
      problem("its value holds what no header may hold, such as a line break", "take it out");
    const value = valueFrom(text, variables);
    if (typeof value === "string" && isSecretValue(name, value))
      notes.push({ header, message: "what looks like a secret is written out", hint: `write ${WRITTEN} and set NAME` });
    headers.set(name, value);
    for (const variable of names) {
      const secret = variables[variable];
      if (secret) secrets.set(variable, new Secret(secret));
    }
  }
  // The only way out holds one secret at a time, so that no redirect and no log can take along another.
  if ([...headers.values()].filter((value) => typeof value !== "string").length > 1)
    problems.push({ header: null, message: "more than one header holds a secret", hint: "leave one" });
  return {
    headers: Object.fromEntries(headers),
    secrets: [...secrets].map(([name, value]) => ({ name, value })),
    problems,
    notes,
  };
}

const expanded = (text: string, variables: Variables): string =>
  text.replace(REFERENCE, (_, name: string) => variables[name] ?? "");

/** From the first variable on, all of it is secret: what stands between two of them tells where one ends. */
function valueFrom(text: string, variables: Variables): UpstreamValue {
  const at = text.search(REFERENCE);
  return at === -1 ? text : { prefix: text.slice(0, at), secret: new Secret(expanded(text.slice(at), variables)) };
}
