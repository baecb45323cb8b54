import type { Tool } from "../../domain/call.ts";
import type { Web } from "../../ports/web.ts";
import type { SecretIn } from "../../redact/known-secret-in.ts";
import type { SearchBackend } from "./web/search-backend.ts";
import { webRequestTool } from "./web/web-request.ts";
import { webSearchTool } from "./web/web-search.ts";

export interface WebToolPorts {
  readonly web: Web;
  /** Null = none is configured, and there is no `web_search`. */
  readonly search: SearchBackend | null;
  readonly secretIn: SecretIn;
}

/** The group `web` of the built-in tools. */
export const webTools = ({ web, search, secretIn }: WebToolPorts): readonly Tool[] => [
  webRequestTool({ web, secretIn }),
  ...(search === null ? [] : [webSearchTool({ web, backend: search, secretIn })]),
];
