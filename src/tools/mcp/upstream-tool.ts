import type { Draft, Tool } from "../../domain/call.ts";
import type { Digest } from "../../domain/digest.ts";
import type { JsonObject } from "../../domain/json.ts";
import { isLater } from "../../domain/now.ts";
import type { Refusal } from "../../domain/outcome.ts";
import type { Progress, RunResult, ToolDefinition } from "../../domain/tool.ts";
import type { ToolEffects } from "../../domain/tool-effects.ts";
import type { Touch } from "../../domain/touch.ts";
import type { UpstreamSpec, UpstreamTool } from "../../domain/upstream.ts";
import type { Files } from "../../ports/files.ts";
import type { Pin } from "../../ports/pins.ts";
import { compileWhenUsed } from "../../schema/compile-schema.ts";
import type { PatternRoom } from "../../schema/full/inspect-schema.ts";
import { inertText } from "../foreign/inert-text.ts";
import { mappedTouches } from "../foreign/mapped-touches.ts";
import { makeTool } from "../make-tool.ts";
import { checkableSchema } from "./checkable-schema.ts";
import { headerProblem } from "./header-names.ts";
import { missingSecret, outOfUse } from "./missing-secret.ts";
import { whyHeldBack } from "./pinned.ts";

/** One call to an upstream, as its tool makes it. */
export interface UpstreamCall {
  readonly holds: "tools" | "offers";
  /** The upstream's own name of the tool, or the place of what else it offers. */
  readonly pinned: string;
  readonly digest: string;
  /** Of a resource: what is read. */
  readonly uri?: string;
  readonly input: JsonObject;
  readonly sessionId: string;
  readonly timeoutMs: number;
}

export interface ToolParts {
  readonly spec: UpstreamSpec;
  readonly name: string;
  readonly pin: Pin;
  readonly files: Files;
  readonly call: (call: UpstreamCall, signal: AbortSignal) => AsyncIterator<Progress, RunResult, void>;
}

/** A pinned definition as a tool of the catalog. Throws where its schema is none that can be checked, or there is no room for it. */
export function upstreamTool({ spec, name, pin, files, call }: ToolParts, room: PatternRoom): Tool {
  const { definition, digest } = pin;
  const problem = headerProblem(definition.inputSchema as JsonObject);
  if (problem !== null) throw new TypeError(`its input schema can't be used: ${inertText(problem)}`);
  const own = toolTouch(name, digest);
  const tool = makeTool(
    {
      definition: definitionFrom(name, definition, spec),
      plan: ({ input }) => {
        const mapped = mappedTouches(spec, definition.name, input, files);
        return isLater(mapped) ? mapped.then((more) => draftOf(own, more)) : draftOf(own, mapped);
      },
      run: ({ input, session, plan }, signal) =>
        call(
          {
            holds: "tools",
            pinned: definition.name,
            digest,
            input,
            sessionId: session.id,
            timeoutMs: plan.timeoutMs,
          },
          signal,
        ),
    },
    compileWhenUsed(checkableSchema(definition.inputSchema as JsonObject), room),
  );
  return unlessUnavailable(tool, spec, pin);
}

/** Held back for what it says, or because its upstream is out of use: planned and judged, and refused. */
export function unlessUnavailable(tool: Tool, spec: UpstreamSpec, pin: Pin): Tool {
  const heldBack = whyHeldBack(pin);
  if (heldBack !== null) return { ...tool, unavailable: changedRefusal(spec.name, pin.definition.name, heldBack) };
  const missing = missingSecret(spec);
  if (missing === null) return tool;
  const { code, hint } = missing;
  const message = outOfUse(spec.name, missing);
  return { ...tool, unavailable: { code, stage: "execute", message, ...(hint !== undefined && { hint }) } };
}

/** Members stand in canonical order: so neither the plan nor its entry has to be sorted (see `canonical-json.ts`). */
export const toolTouch = (name: string, definitionDigest: Digest): Touch => ({ definitionDigest, kind: "tool", name });

export const draftOf = (own: Touch, mapped: readonly Touch[]): Draft => ({
  kind: "drafted",
  plan: { touches: [own, ...mapped], operands: [] },
});

export const changedRefusal = (upstream: string, pinned: string, why: string): Refusal => ({
  code: "TOOL_CHANGED",
  stage: "execute",
  message: `the tool \`${inertText(pinned)}\` of \`${upstream}\` is held back: ${why}`,
  hint: `look at it with \`toolgate mcp inspect ${upstream}\`, and accept it with \`toolgate mcp accept ${upstream}\``,
});

function definitionFrom(name: string, tool: UpstreamTool, { timeoutMs, trust }: UpstreamSpec): ToolDefinition {
  const { outputSchema } = tool;
  const effects = effectsFrom(tool, trust === "vendor");
  return {
    name,
    description: inertText(tool.description ?? tool.title ?? tool.name),
    source: "mcp",
    containment: "upstream",
    // The casts: they came as JSON, and the schema's own check comes when the tool is made.
    inputSchema: tool.inputSchema as JsonObject,
    ...(outputSchema?.["type"] === "object" && { outputSchema: outputSchema as JsonObject }),
    timeoutMs,
    ...(effects && { effects }),
    ...(trust && { trust }),
  };
}

/** What a tool claims of itself may make a decision stricter. Only the word of one whom the operator trusts does more. */
function effectsFrom({ annotations = {} }: UpstreamTool, isTrusted: boolean): ToolEffects | null {
  const { readOnlyHint, destructiveHint, idempotentHint, openWorldHint } = annotations;
  const effects: ToolEffects = {
    ...(destructiveHint === true && readOnlyHint !== true && { destructive: true }),
    ...(openWorldHint === true && { network: true }),
    ...(isTrusted && (destructiveHint === false || readOnlyHint === true) && { destructive: false }),
    ...(isTrusted && idempotentHint === true && { idempotent: true }),
    ...(isTrusted && openWorldHint === false && { network: false }),
    ...(isTrusted && readOnlyHint === true && { filesystem: { write: false, delete: false } }),
  };
  return Object.keys(effects).length === 0 ? null : effects;
}
