import { isAbsolute, join, relative } from "node:path";
import { type Config, loadConfig } from "../config/config.ts";
import type { ConfigProblem } from "../config/config-problem.ts";
import { createSettings } from "../config/create-settings.ts";
import { DEFAULT_CONFIG } from "../config/default-config.ts";
import { type Environment, readEnvironment } from "../config/environment.ts";
import { CONFIG_NAME, findConfig } from "../config/find-config.ts";
import { openTrust } from "../config/trust.ts";

export type { Config, Environment };

export const environmentOfProcess = (): Environment => readEnvironment();

export interface SettingsFlags {
  readonly cwd: string;
  readonly environment: Environment;
  /** A config named by a person, who thereby trusts it. */
  readonly configFlag?: string;
  readonly workspaceFlag?: string;
}

export type Settings =
  | { readonly kind: "ready"; readonly config: Config }
  | { readonly kind: "invalid"; readonly problems: readonly ConfigProblem[] }
  | { readonly kind: "untrusted"; readonly path: string; readonly text: string }
  | { readonly kind: "missing" };

/** The config that a command line means. One that was only found lying there takes effect once it is trusted. */
export function readSettings({ cwd, environment, configFlag, workspaceFlag }: SettingsFlags): Settings {
  const path = configFlag ?? findConfig(cwd);
  if (path === null) return { kind: "missing" };
  const loaded = loadConfig({
    path: shownFrom(cwd, path),
    ...(workspaceFlag !== undefined && { workspaceOverride: workspaceFlag }),
  });
  if (!loaded.ok) return { kind: "invalid", problems: loaded.problems };
  const { config } = loaded;
  const isTrusted = configFlag !== undefined || openTrust(environment).isTrusted(path, config.text);
  return isTrusted ? { kind: "ready", config } : { kind: "untrusted", path: shownFrom(cwd, path), text: config.text };
}

export function acceptConfig({ path, text }: { path: string; text: string }, environment: Environment, nowMs: number) {
  return openTrust(environment).trust(path, text, nowMs);
}

export type WrittenConfig =
  | { readonly kind: "written"; readonly path: string }
  | { readonly kind: "failed"; readonly message: string; readonly hint?: string };

/** Writes the default config where there is none, and trusts it. */
export function writeDefaultConfig({ cwd, environment, configFlag }: SettingsFlags, nowMs: number): WrittenConfig {
  const path = configFlag ?? join(cwd, CONFIG_NAME);
  const shown = shownFrom(cwd, path);
  const created = createSettings(path, DEFAULT_CONFIG);
  if (!created.ok) return { kind: "failed", message: `\`${shown}\` ${created.message}`, hint: created.hint };
  const trusted = openTrust(environment).trust(path, DEFAULT_CONFIG, nowMs);
  return trusted.ok
    ? { kind: "written", path: shown }
    : { kind: "failed", message: trusted.message, ...(trusted.hint && { hint: trusted.hint }) };
}

/** As a person would write it from where they are. */
const shownFrom = (cwd: string, path: string): string => (isAbsolute(path) ? relative(cwd, path) || path : path);
