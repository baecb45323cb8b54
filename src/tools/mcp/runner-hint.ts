import { basename } from "node:path";
import type { UpstreamSpec } from "../../domain/upstream.ts";

/** They start what is installed, and fetch what is not. */
const RUNNERS: ReadonlySet<string> = new Set(["npx", "bunx", "pnpx", "pnpm", "yarn", "uvx", "uv", "pipx", "deno"]);

/** Why a server that works elsewhere may not start here: the sandbox has no network unless the operator grants it. */
export function runnerHint({ name, way, grant }: Pick<UpstreamSpec, "name" | "way" | "grant">): { hint?: string } {
  if (way.kind !== "stdio" || !RUNNERS.has(basename(way.command)) || grant.connect.length > 0) return {};
  const place = `tools.mcp.${name}.grant`;
  return {
    hint: `\`${basename(way.command)}\` fetches what is not installed, and connects nowhere: install the package in the workspace, or name the host that it comes from in \`${place}: { connect: ["HOST:443"] }\``,
  };
}
