/** Where a client has its servers, and under which key. */
interface Client {
  readonly file: string;
  readonly text: (entry: { readonly command: string; readonly args: readonly string[] }) => string;
}

const under =
  (key: string, more: object = {}): Client["text"] =>
  (entry) =>
    `${JSON.stringify({ [key]: { toolgate: { ...more, ...entry } } }, null, 2)}\n`;

/** What `toolgate mcp install` knows. */
export const CLIENTS: Readonly<Record<string, Client>> = {
  "claude-desktop": { file: "claude_desktop_config.json", text: under("mcpServers") },
  "claude-code": { file: ".mcp.json", text: under("mcpServers") },
  cursor: { file: ".cursor/mcp.json", text: under("mcpServers") },
  vscode: { file: ".vscode/mcp.json", text: under("servers", { type: "stdio" }) },
  zed: { file: ".zed/settings.json", text: under("context_servers", { source: "custom" }) },
  gemini: { file: ".gemini/settings.json", text: under("mcpServers") },
  codex: {
    file: ".codex/config.toml",
    text: ({ command, args }) =>
      `[mcp_servers.toolgate]\ncommand = ${JSON.stringify(command)}\nargs = ${JSON.stringify(args)}\n`,
  },
};
