import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type Config, type ConfigRequest, type LoadedConfig, loadConfig } from "../../src/config/config.ts";

/** A folder of its own for one test. */
export interface Scratch extends Disposable {
  readonly folder: string;
  readonly put: (path: string, content?: string | Uint8Array) => string;
}

export function openScratch(): Scratch {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "toolgate-config-")));
  return {
    folder,
    put: (path, content = "") => {
      const full = join(folder, path);
      mkdirSync(dirname(full), { recursive: true });
      writeFileSync(full, content);
      return full;
    },
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  };
}

export function loadText(text: string | Uint8Array, request: Omit<ConfigRequest, "path"> = {}): LoadedConfig {
  using scratch = openScratch();
  return loadConfig({ path: scratch.put("toolgate.yaml", text), ...request });
}

export function loaded(result: LoadedConfig): Config {
  if (!result.ok) throw new Error(JSON.stringify(result.problems, null, 1));
  return result.config;
}

/** `2:3 message (hint)` for each problem. */
export const problemsOf = (result: LoadedConfig): readonly string[] =>
  result.ok
    ? []
    : result.problems.map(
        ({ line, column, message, hint }) => `${line}:${column} ${message}${hint ? ` (${hint})` : ""}`,
      );
