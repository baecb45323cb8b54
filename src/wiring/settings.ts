import { isAbsolute, join, relative } from "node:path";
import { type Config, loadConfig } from "../config/config.ts";
import type { ConfigProblem } from "../config/config-problem.ts";
import { createSettings } from "../config/create-settings.ts";
import type { Environment } from "../config/environment.ts";
import { CONFIG_NAME, findConfig } from "../config/find-config.ts";
import { isProfileName, PROFILES, type ProfileName } from "../config/profiles.ts";
import type { User } from "../config/server-settings.ts";
import { openTrust } from "../config/trust.ts";

export type { Config, Environment, User };
export { isProfileName, PROFILES };

export interface SettingsFlags {
  readonly cwd: string;
  readonly environment: Environment;
  /** A config named by a person. */
  readonly configFlag?: string;
  /** Whether naming a config is trusting it, which is what it means everywhere but in `toolgate trust`. */
  readonly naming?: "trusts" | "finds";
  readonly workspaceFlag?: string;
}

export type Settings =
  | { readonly kind: "ready"; readonly config: Config }
  | { readonly kind: "invalid"; readonly problems: readonly ConfigProblem[] }
  | { readonly kind: "untrusted"; readonly path: string; readonly text: string; readonly is: "config" | "always" }
  | { readonly kind: "missing" };

/** The config that a command line means. One that was only found lying there takes effect once it is trusted. */
export function readSettings({
  cwd,
  environment,
  configFlag,
  workspaceFlag,
  naming = "trusts",
}: SettingsFlags): Settings {
  const path = configFlag ?? findConfig(cwd);
  if (path === null) return { kind: "missing" };
  const loaded = loadConfig({
    path: shownFrom(cwd, path),
    ...(workspaceFlag !== undefined && { workspaceOverride: workspaceFlag }),
  });
  if (!loaded.ok) return { kind: "invalid", problems: loaded.problems };
  const { config } = loaded;
  const isNamed = configFlag !== undefined && naming === "trusts";
  const trust = openTrust(environment);
  if (!isNamed && !trust.isTrusted(path, config.text))
    return { kind: "untrusted", path: shownFrom(cwd, path), text: config.text, is: "config" };
  // Naming a config says nothing of what lies in its state directory.
  const { always } = config;
  if (always !== null && !trust.isTrusted(always.path, always.text))
    return { kind: "untrusted", path: shownFrom(cwd, always.path), text: always.text, is: "always" };
  return { kind: "ready", config };
}

export function acceptConfig({ path, text }: { path: string; text: string }, environment: Environment, nowMs: number) {
  return openTrust(environment).trust(path, text, nowMs);
}

export type WrittenConfig =
  | { readonly kind: "written"; readonly path: string }
  | { readonly kind: "failed"; readonly message: string; readonly hint?: string };

/** Writes a config to start from where there is none, and trusts it. */
export function writeDefaultConfig(
  { cwd, environment, configFlag }: SettingsFlags,
  nowMs: number,
  profile: ProfileName = "workspace",
): WrittenConfig {
  const { text } = PROFILES[profile];
  const path = configFlag ?? join(cwd, CONFIG_NAME);
  const shown = shownFrom(cwd, path);
  const created = createSettings(path, text);
  if (!created.ok) return { kind: "failed", message: `\`${shown}\` ${created.message}`, hint: created.hint };
  const trusted = acceptConfig({ path, text }, environment, nowMs);
  return trusted.ok
    ? { kind: "written", path: shown }
    : { kind: "failed", message: trusted.message, ...(trusted.hint && { hint: trusted.hint }) };
}

/** As a person would write it from where they are. */
export const shownFrom = (cwd: string, path: string): string => (isAbsolute(path) ? relative(cwd, path) || path : path);
