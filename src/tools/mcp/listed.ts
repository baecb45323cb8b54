import type { UpstreamTool } from "../../domain/upstream.ts";
import type { Malformed } from "./malformed.ts";

/** What an upstream lists: what can be used, and what can't. */
export interface Listed {
  readonly listed: readonly UpstreamTool[];
  readonly malformed: readonly Malformed[];
}
