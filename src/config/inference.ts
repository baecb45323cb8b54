import { isJsonObject, type JsonObject, type JsonValue } from "../domain/json.ts";
import { LIMITS } from "../domain/limits.ts";
import type { InferenceWire, ModelProvider } from "../domain/model-provider.ts";
import { Secret } from "../domain/secret.ts";
import { quoted } from "../domain/visible.ts";
import { webUrlFrom } from "../domain/web-target.ts";
import { compileCheck } from "../schema/compile-schema.ts";
import type { Path } from "../schema/mismatch.ts";
import type { RawConfig, ShapeProblem } from "./config-shape.ts";
import { PROVIDER_SCHEMA, type RawProvider } from "./inference-schema.ts";
import type { Variables } from "./variables.ts";
import { isReadOnTheWay } from "./web-search.ts";

export interface FoundProviders {
  /** None where there are problems. */
  readonly providers: readonly ModelProvider[];
  readonly problems: readonly ShapeProblem[];
}

const AT: Path = ["tools", "inference", "providers"];

/** So that `provider/model` is read in one way, and a pattern of rules can name each. */
const NAME = /^[a-z][a-z0-9_-]{0,49}$/;
const MODEL = /^[A-Za-z0-9@][A-Za-z0-9._:/@+-]*$/;

const URLS: Readonly<Record<InferenceWire, string | null>> = {
  anthropic: "https://api.anthropic.com",
  openai: "https://api.openai.com/v1",
  "openai-compatible": null,
};

/** RFC 9110, section 5.5: anything else would not be sent, and each question fail without a reason. */
const SENDABLE = /^[\x21-\x7e]+$/;

type Tell = (path: Path, message: string, hint?: string) => void;

/** Problems name the place, and never a value. */
export function providersFrom(raw: RawConfig, variables: Variables): FoundProviders {
  const problems: ShapeProblem[] = [];
  const tell: Tell = (path, message, hint) =>
    void problems.push({ path: [...AT, ...path], what: "value", message, ...(hint !== undefined && { hint }) });
  const given = Object.entries(raw.tools?.inference?.providers ?? {});
  const most = LIMITS.inferenceProviders.maximum;
  if (given.length > most) tell([], `there are more than ${most} providers`);
  const providers = given.flatMap(([name, value]) => {
    if (!NAME.test(name)) tell([name], `${quoted(name)} is no name for a provider`, NAME_HINT);
    return isWellShaped(name, value, tell) ? providerFrom(name, value as unknown as RawProvider, variables, tell) : [];
  });
  return { providers: problems.length > 0 ? [] : providers, problems };
}

const NAME_HINT = "use up to 50 lower-case letters, digits, `_` and `-`, a letter first";

function isWellShaped(name: string, value: JsonValue, tell: Tell): boolean {
  const compiled = compileCheck(PROVIDER_SCHEMA);
  if ("unsupported" in compiled) throw new TypeError(`the schema of providers uses \`${compiled.unsupported}\``);
  const mismatches = compiled.check(value);
  for (const { path, says } of mismatches) tell([name, ...path], `\`${[...AT, name, ...path].join(".")}\` ${says}`);
  return mismatches.length === 0;
}

function providerFrom(name: string, raw: RawProvider, variables: Variables, tell: Tell): readonly ModelProvider[] {
  const { wire, models, timeoutMs = LIMITS.inferenceMs.default } = raw;
  for (const [index, model] of models.entries())
    if (!MODEL.test(model)) tell([name, "models", index], `${quoted(model)} is no name of a model`, MODEL_HINT);
  const url = raw.url ?? URLS[wire];
  if (url === null) tell([name], `\`${wire}\` needs a \`url\``, "write where it is, up to `/v1`");
  const key = keyFrom(name, raw, variables, tell);
  if (url !== null) checkUrl([name, "url"], url, key, tell);
  return [{ name, wire, url: (url ?? "").replace(/\/+$/, ""), models, key, timeoutMs }];
}

const MODEL_HINT = "write one model's exact name; which of them may be asked for is said by rules";

function keyFrom(name: string, { wire, key }: RawProvider, variables: Variables, tell: Tell): Secret | null {
  if (key === undefined) {
    if (wire !== "openai-compatible")
      tell([name], `\`${wire}\` needs a \`key\``, "write `key: { secret: NAME }` and set the variable NAME");
    return null;
  }
  const value = variables[key.secret] ?? "";
  if (SENDABLE.test(value)) return new Secret(value);
  const variable = `the variable ${quoted(key.secret)}`;
  if (value === "") tell([name, "key"], `${variable} is not set`, "set it, or take `key` out");
  else tell([name, "key"], `${variable} holds what no key is written with`, "look for a line end or a blank in it");
  return null;
}

function checkUrl(at: Path, url: string, key: Secret | null, tell: Tell): void {
  const parsed = webUrlFrom(url);
  if (!parsed.ok) tell(at, `the address ${quoted(url)} can't be asked for: ${parsed.because}`);
  else if (/[?#]/.test(url)) tell(at, `the address ${quoted(url)} has a part behind its path`, "leave `?` and `#` out");
  else if (isReadOnTheWay(parsed.value))
    tell(
      at,
      `${key === null ? "prompts" : "the key and prompts"} would be sent where everybody on the way can read them`,
      HTTPS,
    );
}

const HTTPS = "use `https://`";

/** The variables that hold keys, each with its place. */
export function providerSecrets(
  inference: { readonly providers?: JsonObject } = {},
): readonly { readonly name: string; readonly at: Path }[] {
  return Object.entries(inference.providers ?? {}).flatMap(([provider, given]) => {
    const key = isJsonObject(given) ? given["key"] : undefined;
    const name = isJsonObject(key) ? key["secret"] : undefined;
    return typeof name === "string" ? [{ name, at: [...AT, provider, "key"] }] : [];
  });
}
