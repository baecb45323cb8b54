import { fileURLToPath } from "node:url";
import type { Tool } from "../../domain/call.ts";
import type { JsonObject } from "../../domain/json.ts";
import { inertText } from "../foreign/inert-text.ts";
import { mappedTouches } from "../foreign/mapped-touches.ts";
import { makeTool } from "../make-tool.ts";
import { draftOf, type ToolParts, toolTouch, unlessUnavailable } from "./upstream-tool.ts";

export interface OfferParts extends ToolParts {
  /** Of a resource: its own address, where it is pinned by a template too. Undefined: it is a prompt. */
  readonly uri: string | undefined;
}

/**
 * A pinned prompt or resource as a tool that no model is shown: to get one is a call like any other, judged, asked about
 * and recorded. Its touch is `UPSTREAM/prompts/NAME` or `UPSTREAM/resources/URI`, which no rule about tools' names covers
 * that does not mean it.
 */
export function offerTool({ spec, name, pin, files, call, uri }: OfferParts): Tool {
  const { definition, digest } = pin;
  const tool = makeTool({
    definition: {
      name,
      description: inertText(definition.description ?? definition.title ?? name),
      source: "mcp",
      containment: "upstream",
      inputSchema: definition.inputSchema as JsonObject,
      timeoutMs: spec.timeoutMs,
      ...(spec.trust && { trust: spec.trust }),
    },
    plan: async ({ input }) =>
      draftOf(toolTouch(name, digest), await mappedTouches(spec, ...mapKey(uri, definition.name, input), files)),
    run: ({ input, session, plan }, signal) =>
      call(
        {
          holds: "offers",
          pinned: definition.name,
          digest,
          input,
          sessionId: session.id,
          timeoutMs: plan.timeoutMs,
          ...(uri !== undefined && { uri }),
        },
        signal,
      ),
  });
  return unlessUnavailable(tool, spec, pin);
}

/**
 * What `touches` of the configuration says of it: under `prompts/NAME` of its arguments; under `resources` of its address
 * (`uri`), and of the file that it names (`path`), which is none where it names none.
 */
const mapKey = (uri: string | undefined, place: string, input: JsonObject): readonly [string, JsonObject] =>
  uri === undefined ? [place, input] : ["resources", { uri, path: pathOf(uri) }];

function pathOf(uri: string): string | null {
  try {
    return fileURLToPath(uri);
  } catch {
    return null;
  }
}
