import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { ProbeCache } from "../../ports/probe-cache.ts";
import { isSystemError } from "../system-error.ts";

const DAY_MS = 24 * 60 * 60 * 1000;
const NAME = /^[0-9a-f]{64}$/;

/** One file for each program in the state directory, where no tool gets in. */
export function openProbeFiles(stateDir: string): ProbeCache {
  const folder = join(stateDir, "probes");
  const fileOf = (sha256: string): string => join(folder, `${sha256}.json`);
  return {
    get: async (sha256, nowMs) => {
      if (!NAME.test(sha256)) return null;
      try {
        const { at, text } = JSON.parse(await readFile(fileOf(sha256), "utf8")) as { at?: unknown; text?: unknown };
        const isFresh = typeof at === "number" && at <= nowMs && nowMs - at < DAY_MS;
        return isFresh && typeof text === "string" ? text : null;
      } catch (error) {
        if (!isSystemError(error) && !(error instanceof SyntaxError)) throw error;
        return null;
      }
    },
    put: async (sha256, text, nowMs) => {
      if (!NAME.test(sha256)) return;
      try {
        await mkdir(folder, { recursive: true, mode: 0o700 });
        const draft = `${fileOf(sha256)}.${process.pid}`;
        await writeFile(draft, JSON.stringify({ at: nowMs, text }), { mode: 0o600 });
        await rename(draft, fileOf(sha256));
      } catch (error) {
        if (!isSystemError(error)) throw error;
        // The next probe costs two seconds at the most.
      }
    },
  };
}
