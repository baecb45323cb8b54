import { Buffer } from "node:buffer";
import { closeSync, fsyncSync, lstatSync, mkdirSync, openSync, renameSync } from "node:fs";
import { join } from "node:path";
import { stringify } from "yaml";
import { digestOf } from "../domain/digest.ts";
import type { RuleSource } from "../rules/rule.ts";
import { type RulesFile, rulesOf } from "./rules-file.ts";
import { readSettings, SETTINGS_BYTES_MAX } from "./settings-file.ts";
import { errorCode } from "./system-error.ts";
import type { Trusted, TrustStore } from "./trust.ts";
import { writeDraft } from "./write-draft.ts";
import { readYaml } from "./yaml-source.ts";

const NAME = "always.yaml";

const HEAD = `# What people have answered with "always": rules like those of toolgate.yaml, and in force with them.
# Take one out with a text editor, then accept the file with \`toolgate trust\`.
`;

export const alwaysFile = (stateDir: string): string => join(stateDir, NAME);

/** Whoever adds a rule holds a lock on this one: the file itself is exchanged. */
export const alwaysLock = (stateDir: string): string => join(stateDir, "always.lock");

/** The rules that answers have made, as one more rules file; null where there are none yet. */
export function readAlwaysRules(stateDir: string): RulesFile | null {
  const path = alwaysFile(stateDir);
  if (!isThere(path)) return null;
  const read = readYaml(path, NAME);
  if (!read.ok) return { name: NAME, text: "", paths: [path], rules: [], notes: [], problems: read.problems };
  return { name: NAME, text: read.source.text, paths: [path], ...rulesOf(read.source) };
}

/** Whatever else keeps it from being looked at is a problem of the settings: it may hold a "never". */
function isThere(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch (error) {
    return errorCode(error) !== "ENOTDIR"; // the state directory is none: the ledger will say so
  }
}

/** The rule as it will stand in the file: shown before it is saved. */
export const alwaysText = (rule: RuleSource): string => stringify([rule], { lineWidth: 0 });

/**
 * Adds a rule, once however many say so. What will stand in the file is accepted first, so that at no moment something is
 * in force that nobody has accepted; and what stands there already has to have been. Whoever calls this holds the lock.
 */
export function addAlwaysRule(stateDir: string, rule: RuleSource, trust: TrustStore, nowMs: number): Trusted {
  const path = alwaysFile(stateDir);
  const read = readSettings(path, "private");
  if (!read.ok && read.code !== "ENOENT") return { ok: false, message: `\`${NAME}\`: ${read.message}` };
  if (read.ok && !trust.isTrusted(path, read.text)) {
    return {
      ok: false,
      message: `\`${NAME}\` was changed and not accepted`,
      hint: "look at it, then `toolgate trust`",
    };
  }
  const known = readAlwaysRules(stateDir)?.rules.find((one) => one.rule.id === rule.id);
  if (known !== undefined) return digestOf(known.rule) === digestOf(rule) ? { ok: true } : taken(rule.id);
  const text = `${read.ok ? read.text : HEAD}${alwaysText(rule)}`;
  if (Buffer.byteLength(text) > SETTINGS_BYTES_MAX) return FULL;
  const trusted = trust.trust(path, text, nowMs);
  return trusted.ok ? replace(stateDir, path, text) : trusted;
}

/** What can't be read any more would take all other rules along: nothing would be allowed. */
const FULL: Trusted = {
  ok: false,
  message: `\`${NAME}\` has no room for another rule: at most ${SETTINGS_BYTES_MAX} bytes are read`,
  hint: "make one wider rule in toolgate.yaml of many, and take them out",
};

/** Two rules of one name would keep all of them from loading. */
const taken = (id: string): Trusted => ({
  ok: false,
  message: `\`${NAME}\` has another rule \`${id}\``,
  hint: "take it out with a text editor, then `toolgate trust`",
});

function replace(stateDir: string, path: string, text: string): Trusted {
  try {
    mkdirSync(stateDir, { recursive: true, mode: 0o700 });
    renameSync(writeDraft(path, text, 0o600), path);
    syncFolder(stateDir); // a "never" that was told to be saved has to outlive a power cut
    return { ok: true };
  } catch (error) {
    return { ok: false, message: `\`${NAME}\` can't be written (${errorCode(error)})` };
  }
}

function syncFolder(path: string): void {
  const descriptor = openSync(path, "r");
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
