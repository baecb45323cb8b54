import { BUDGET_KINDS, type Budget, UNLIMITED } from "../domain/budget.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../domain/json.ts";
import { type Lease, SCOPES, type Scope, type ScopeName } from "../domain/lease.ts";
import { LIMITS } from "../domain/limits.ts";
import type { InputError } from "../domain/outcome.ts";
import { leasePatternCompilers } from "../rules/lease.ts";
import { compileSchema } from "../schema/compile-schema.ts";

/** A lease as people write it. What it leaves out is not granted; a budget that it leaves out is unlimited. */
export interface LeaseSource extends Partial<Readonly<Record<ScopeName, Scope>>> {
  /** When it ends, ISO 8601; null = never. */
  readonly expires?: string | null;
  /** Or how long it lasts: `30m`, `8h`, `7d`. Without either: a day. */
  readonly for?: string;
  readonly budget?: Partial<Budget>;
}

export type ReadLease =
  | { readonly ok: true; readonly lease: Omit<Lease, "id"> }
  | { readonly ok: false; readonly errors: readonly InputError[] };

const PATTERNS = {
  type: "array",
  maxItems: LIMITS.leasePatterns.maximum,
  items: { type: "string", minLength: 1, maxLength: LIMITS.pathBytes.maximum },
} as const;

const AMOUNT = { type: ["integer", "null"], minimum: 0, maximum: Number.MAX_SAFE_INTEGER } as const;

const SCHEMA = {
  type: "object",
  additionalProperties: false,
  properties: {
    ...Object.fromEntries(SCOPES.map((name) => [name, PATTERNS])),
    expires: { type: ["string", "null"] },
    for: { type: "string" },
    budget: {
      type: "object",
      additionalProperties: false,
      properties: Object.fromEntries(BUDGET_KINDS.map((kind) => [kind, AMOUNT])),
    },
  },
} as unknown as JsonObject;

const DURATION = /^([1-9]\d{0,8})(s|m|h|d)$/;
const UNIT_MS = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;
/** With its zone: a time without one means another moment on another machine. */
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?(?:Z|[+-]\d\d:\d\d)$/;

/** Checked, all errors at once. `base`: what holds where the source says nothing; left out = nothing is granted. */
export function leaseFromSource(
  source: JsonValue,
  { nowMs, workspace, base }: { readonly nowMs: number; readonly workspace: string; readonly base?: Lease },
): ReadLease {
  const shape = shapeErrors(source);
  const given = wellShaped(source, shape);
  const expiry = expiryFrom(given, nowMs, base);
  const errors = [...shape, ...patternErrors(given, workspace), ...("error" in expiry ? [expiry.error] : [])];
  if (errors.length > 0 || "error" in expiry) return { ok: false, errors };
  const scopes = Object.fromEntries(SCOPES.map((name) => [name, given[name] ?? base?.[name] ?? []]));
  const budget = { ...(base?.budget ?? UNLIMITED), ...given.budget };
  return { ok: true, lease: { ...(scopes as Record<ScopeName, Scope>), budget, expiresAtMs: expiry.atMs } };
}

/** The members that can be looked at further. The cast is what the schema has found out. */
function wellShaped(source: JsonValue, errors: readonly InputError[]): LeaseSource {
  const bad = new Set(errors.map(({ field }) => field.split(/[.[]/, 1)[0]));
  const left = Object.entries(isJsonObject(source) ? source : {}).filter(([name]) => !bad.has(name));
  return Object.fromEntries(left) as unknown as LeaseSource;
}

/** The word `everything` stands where else a list does. */
function shapeErrors(source: JsonValue): readonly InputError[] {
  const compiled = compileSchema(SCHEMA);
  if ("problem" in compiled) throw new TypeError("the schema of leases is none");
  if (!isJsonObject(source))
    return [{ field: "", rule: "type", message: "a lease has to be an object with `tools`, `read`, `write`, …" }];
  const lists = Object.entries(source).filter(
    ([name, value]) => !(value === "everything" && (SCOPES as readonly string[]).includes(name)),
  );
  return compiled.check(Object.fromEntries(lists));
}

function patternErrors(given: LeaseSource, workspace: string): readonly InputError[] {
  const compilers = leasePatternCompilers(workspace);
  return SCOPES.flatMap((name) => {
    const scope = given[name];
    if (scope === undefined || scope === "everything") return [];
    return scope.flatMap((text, index) => {
      const pattern = compilers[name](text);
      if (!("error" in pattern)) return [];
      const message = pattern.hint === undefined ? pattern.error : `${pattern.error} (${pattern.hint})`;
      return [{ field: `${name}[${index}]`, rule: "format", message }];
    });
  });
}

type Expiry = { readonly atMs: number | null } | { readonly error: InputError };

function expiryFrom({ expires, for: duration }: LeaseSource, nowMs: number, base: Lease | undefined): Expiry {
  if (expires !== undefined && duration !== undefined)
    return wrong("for", "`expires` and `for` say the same thing; leave one out");
  if (expires === null) return { atMs: null };
  if (expires === undefined && duration === undefined)
    return { atMs: base === undefined ? nowMs + LIMITS.leaseMs.default : base.expiresAtMs };
  const atMs = duration === undefined ? instantMs(expires as string) : nowMs + durationMs(duration);
  const field = duration === undefined ? "expires" : "for";
  if (Number.isNaN(atMs))
    return wrong(field, field === "for" ? "write it like `30m`, `8h` or `7d`" : "write it like `2026-01-31T18:00:00Z`");
  if (atMs <= nowMs) return wrong(field, "a lease has to end in the future");
  return atMs - nowMs > LIMITS.leaseMs.maximum ? wrong(field, "a lease lasts a year at most") : { atMs };
}

const instantMs = (text: string): number => (INSTANT.test(text) ? Date.parse(text) : Number.NaN);

function durationMs(text: string): number {
  const [, count, unit] = DURATION.exec(text) ?? [];
  return unit === undefined ? Number.NaN : Number(count) * UNIT_MS[unit as keyof typeof UNIT_MS];
}

const wrong = (field: string, message: string): Expiry => ({ error: { field, rule: "format", message } });
