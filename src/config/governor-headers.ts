// biome-ignore-all lint/suspicious/noTemplateCurlyInString: it is what people write into the file

import type { JsonObject, JsonValue } from "../domain/json.ts";
import { Secret } from "../domain/secret.ts";
import type { UpstreamValue } from "../domain/upstream.ts";
import { quoted } from "../domain/visible.ts";
import { isSecretValue } from "./secret-like.ts";
import type { Variables } from "./variables.ts";

/** RFC 9110, section 5.1. */
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,64}$/;
/** RFC 9110, section 5.5: nothing that could begin another header. */
const VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;
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
    const name = header.toLowerCase();
    const wrong = [...nameProblems(header, headers.has(name)), ...valueProblems(text, variables)];
    problems.push(...wrong.map(([message, hint]) => ({ header, message, hint })));
    if (typeof text !== "string") continue;
    const value = valueFrom(text, variables);
    if (typeof value === "string" && isSecretValue(name, value))
      notes.push({ header, message: "what looks like a secret is written out", hint: "write `${NAME}` and set NAME" });
    headers.set(name, value);
    for (const variable of variablesIn(text)) {
      const secret = variables[variable];
      if (secret) secrets.set(variable, new Secret(secret));
    }
  }
  // A request carries one secret, as `WebRequest` has it.
  if ([...headers.values()].filter((value) => typeof value !== "string").length > 1)
    problems.push({ header: null, message: "more than one header holds a secret", hint: "leave one" });
  return {
    headers: Object.fromEntries(headers),
    secrets: [...secrets].map(([name, value]) => ({ name, value })),
    problems,
    notes,
  };
}

type Wrong = readonly [message: string, hint: string];

function nameProblems(header: string, isKnown: boolean): readonly Wrong[] {
  if (!TOKEN.test(header)) return [[`${quoted(header)} is no name of a header`, "use letters, digits and `-`"]];
  if (OURS.has(header.toLowerCase())) return [[`the header ${quoted(header)} is the gate's own`, "take it out"]];
  return isKnown ? [[`the header ${quoted(header)} is there twice`, "leave one"]] : [];
}

function valueProblems(text: JsonValue, variables: Variables): readonly Wrong[] {
  if (typeof text !== "string") return [["a header is a text", "write it in quotes"]];
  if (text.replace(REFERENCE, "").includes("${"))
    return [["`${` begins a variable's name, and there is none", "write `${NAME}`"]];
  const unset = variablesIn(text).filter((name) => !variables[name]);
  if (unset.length > 0)
    return unset.map((name) => [`the variable ${quoted(name)} is not set`, "set it, or take it out"] as const);
  return VALUE.test(expanded(text, variables))
    ? []
    : [["its value holds what no header may hold, such as a line break", "take it out"]];
}

const variablesIn = (text: string): readonly string[] => [...text.matchAll(REFERENCE)].map(([, name = ""]) => name);

const expanded = (text: string, variables: Variables): string =>
  text.replace(REFERENCE, (_, name: string) => variables[name] ?? "");

/** From the first variable on, all of it is secret: what stands between two of them tells where one ends. */
function valueFrom(text: string, variables: Variables): UpstreamValue {
  const at = text.search(REFERENCE);
  return at === -1 ? text : { prefix: text.slice(0, at), secret: new Secret(expanded(text.slice(at), variables)) };
}
