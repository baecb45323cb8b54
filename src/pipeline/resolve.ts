import { howToSwitchOn } from "../domain/builtin-names.ts";
import { pass, type RawCall, type ResolvedCall, refuse } from "../domain/call.ts";
import { nearest } from "../domain/nearest.ts";
import { quoted } from "../domain/visible.ts";
import type { Catalog } from "../ports/catalog.ts";
import { resolvedCall } from "./call-states.ts";
import type { SyncStage } from "./stage.ts";

/** First stage. Finds the tool that is meant: of exactly this name, look-alikes are other names. */
export const resolve: SyncStage<RawCall, ResolvedCall, { catalog: Catalog }> = (call, { catalog }) => {
  const tool = catalog.find(call.toolName);
  if (tool) return pass(resolvedCall(call, tool));
  const near = nearest(call.toolName, catalog.names());
  const nearer = near.length > 0 ? `did you mean ${near.map((name) => quoted(name)).join(", ")}` : null;
  return refuse({
    code: "TOOL_UNKNOWN",
    stage: "resolve",
    message: `no tool is called ${quoted(call.toolName)}`,
    hint:
      howToSwitchOn(call.toolName) ??
      catalog.whyUnknown?.(call.toolName) ??
      nearer ??
      "`toolgate tools` lists the tools",
  });
};
