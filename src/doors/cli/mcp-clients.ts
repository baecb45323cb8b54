import type { JsonObject } from "../../domain/json.ts";

/** Where a client has its servers, and how they are written there. */
export interface Client {
  /** In the project, or of the user in all of them. */
  readonly base: "project" | "home";
  readonly parts: readonly [string, ...string[]];
  /** The member of a JSON object that holds them; null = a table of TOML. */
  readonly group: string | null;
  /** Beside `command` and `args`. */
  readonly more?: JsonObject;
}

/** What `toolgate mcp install` knows. */
export const CLIENTS: Readonly<Record<string, Client>> = {
  "claude-desktop": {
    base: "home",
    parts: [".config", "Claude", "claude_desktop_config.json"],
    group: "mcpServers",
  },
  "claude-code": { base: "project", parts: [".mcp.json"], group: "mcpServers" },
  cursor: { base: "project", parts: [".cursor", "mcp.json"], group: "mcpServers" },
  vscode: { base: "project", parts: [".vscode", "mcp.json"], group: "servers", more: { type: "stdio" } },
  zed: { base: "project", parts: [".zed", "settings.json"], group: "context_servers", more: { source: "custom" } },
  gemini: { base: "project", parts: [".gemini", "settings.json"], group: "mcpServers" },
  codex: { base: "home", parts: [".codex", "config.toml"], group: null },
};
