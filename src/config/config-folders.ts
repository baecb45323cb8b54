import { statSync } from "node:fs";
import { resolve } from "node:path";
import { quoted } from "../domain/visible.ts";
import { CONFIG_SCHEMA } from "./config-schema.ts";
import type { RawConfig, ShapeProblem } from "./config-shape.ts";
import { realPath } from "./real-path.ts";

const DEFAULTS = CONFIG_SCHEMA.properties;

/** `postgres://…` and the like. */
const URL_LIKE = /^[a-z][a-z0-9+.-]*:\/\//i;

export type Folder =
  | { readonly ok: true; readonly path: string }
  | { readonly ok: false; readonly problem: ShapeProblem };

/** The workspace's real path; it must be there. */
export function workspaceFolder(raw: RawConfig, base: string, override: string | undefined): Folder {
  const given = override ?? raw.workspace ?? DEFAULTS.workspace.default;
  const real = realPath(resolve(override === undefined ? base : ".", given));
  if (real.ok && statSync(real.path, { throwIfNoEntry: false })?.isDirectory()) return real;
  return {
    ok: false,
    problem: bad("workspace", `the workspace ${quoted(given)} is not a folder`, "name a folder that is there"),
  };
}

/** The state directory's real path; it may be made later. */
export function stateFolder(raw: RawConfig, base: string): Folder {
  const given = raw.state ?? DEFAULTS.state.default;
  if (URL_LIKE.test(given)) {
    return {
      ok: false,
      problem: bad("state", `${quoted(given)} is not supported by this version yet`, "name a folder"),
    };
  }
  const real = realPath(resolve(base, given));
  if (real.ok) return real;
  return { ok: false, problem: bad("state", `the state folder ${quoted(given)} can't be reached (${real.code})`) };
}

const bad = (key: string, message: string, hint?: string): ShapeProblem =>
  hint === undefined ? { path: [key], what: "value", message } : { path: [key], what: "value", message, hint };
