import { renameSync, rmSync } from "node:fs";
import { parseDocument } from "yaml";
import type { JsonObject } from "../domain/json.ts";
import { quoted } from "../domain/visible.ts";
import { loadConfig } from "./config.ts";
import { readSettings } from "./settings-file.ts";
import { errorCode } from "./system-error.ts";
import type { Trusted, TrustStore } from "./trust.ts";
import { writeDraft } from "./write-draft.ts";

/** What would stand in the file. */
export type EditedConfig =
  | { readonly ok: true; readonly text: string; readonly save: (trust: TrustStore, nowMs: number) => Trusted }
  | { readonly ok: false; readonly message: string; readonly hint?: string };

/**
 * The config with more servers under `tools.mcp`; all else, comments too, stays as it is. Nothing is written before `save`, and what
 * does not load is never put in place.
 */
export function withUpstreams(path: string, servers: Readonly<Record<string, JsonObject>>): EditedConfig {
  const read = readSettings(path, "shared");
  if (!read.ok) return { ok: false, message: read.message };
  const document = parseDocument(read.text);
  for (const [name, server] of Object.entries(servers)) {
    if (document.hasIn(["tools", "mcp", name]))
      return {
        ok: false,
        message: `there is a server ${quoted(name)} already`,
        hint: "choose another name, or edit the file",
      };
    document.setIn(["tools", "mcp", name], document.createNode(server));
  }
  const text = document.toString({ lineWidth: 0 });
  return { ok: true, text, save: (trust, nowMs) => saved(path, text, trust, nowMs) };
}

function saved(path: string, text: string, trust: TrustStore, nowMs: number): Trusted {
  let draft: string | null = null;
  try {
    draft = writeDraft(path, text, 0o644);
    const loaded = loadConfig({ path: draft });
    if (!loaded.ok) {
      const [first] = loaded.problems;
      return {
        ok: false,
        message: first?.message ?? "it does not load",
        ...(first?.hint !== undefined && { hint: first.hint }),
      };
    }
    const trusted = trust.trust(path, loaded.config.text, nowMs);
    if (trusted.ok) renameSync(draft, path);
    return trusted;
  } catch (error) {
    return { ok: false, message: `the config can't be written (${errorCode(error)})` };
  } finally {
    if (draft !== null) rmSync(draft, { force: true });
  }
}
