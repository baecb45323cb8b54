import { closeSync, mkdirSync, openSync, readdirSync, renameSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import { digestOfText } from "../domain/digest.ts";
import type { JsonValue } from "../domain/json.ts";
import { isClosedByName } from "./closed-by-name.ts";
import type { Environment } from "./environment.ts";
import { readSettings } from "./settings-file.ts";

/** What settings texts say, kept when they were accepted: reading YAML anew takes a third of a short command's time. */
export interface Readings {
  /** Undefined = it has to be read. */
  readonly of: (text: string) => JsonValue | undefined;
  /** Keeping is a convenience: that it failed is no matter. */
  readonly keep: (text: string, value: JsonValue) => void;
}

/** A user who accepts more configs than that has some of them read anew. */
const KEPT_MAX = 200;

/**
 * Beside the trust file, and as private: who can write here can have any config accepted. Named by the text and by the
 * version that read it.
 */
export function openReadings({ xdgState }: Pick<Environment, "xdgState">, version: string): Readings {
  const folder = xdgState === null ? null : join(xdgState, "toolgate", "trusted-configs");
  if (folder === null || !isClosedByName(folder, "toolgate/trusted-configs"))
    return { of: () => undefined, keep: () => {} };
  const fileOf = (text: string): string => join(folder, `${digestOfText(`${version}\n${text}`)}.json`);
  return {
    of: (text) => {
      const read = readSettings(fileOf(text), "private");
      return read.ok ? valueIn(read.text) : undefined;
    },
    keep: (text, value) => {
      try {
        mkdirSync(folder, { recursive: true, mode: 0o700 });
        const kept = readdirSync(folder);
        if (kept.length >= KEPT_MAX) for (const name of kept) rmSync(join(folder, name), { force: true });
        writeWhole(fileOf(text), JSON.stringify({ value }));
      } catch {
        // read anew next time
      }
    },
  };
}

function valueIn(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text).value;
  } catch {
    return undefined;
  }
}

function writeWhole(file: string, text: string): void {
  const draft = `${file}.${process.pid}`;
  const descriptor = openSync(draft, "wx", 0o600);
  try {
    writeSync(descriptor, text);
  } finally {
    closeSync(descriptor);
  }
  renameSync(draft, file);
}
