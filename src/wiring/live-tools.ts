import type { Config } from "../config/config.ts";
import type { Tool } from "../domain/call.ts";
import type { ScriptTool } from "../domain/script-tool.ts";
import { Secret } from "../domain/secret.ts";
import type { Catalog } from "../ports/catalog.ts";
import { catalogOf } from "./catalog-of.ts";

export interface LiveToolsParts {
  readonly config: Config;
  /** Those that no file changes. */
  readonly fixed: readonly Tool[];
  readonly make: (tools: readonly ScriptTool[]) => readonly Tool[];
}

/** The catalog in force. Script tools follow their files, all of them or none; a call that has its tool already keeps it. */
export class LiveTools implements Catalog {
  readonly #parts: LiveToolsParts;
  readonly #secrets: readonly string[];
  #hash: Config["scriptsHash"];
  #scripts: readonly ScriptTool[];
  #catalog: Catalog;

  constructor(parts: LiveToolsParts) {
    this.#parts = parts;
    this.#hash = parts.config.scriptsHash;
    this.#scripts = parts.config.scripts;
    this.#secrets = secretsOf(parts.config.scripts);
    this.#catalog = this.#built(parts.config);
  }

  /** The script tools as their files have them. */
  get scripts(): readonly ScriptTool[] {
    return this.#scripts;
  }

  find(name: string): Tool | undefined {
    return this.#catalog.find(name);
  }

  names(): Iterable<string> {
    return this.#catalog.names();
  }

  all(): Iterable<Tool> {
    return this.#catalog.all();
  }

  prepare(config: Config): (() => void) | string {
    if (config.scriptsHash === this.#hash) return () => {};
    // What takes secrets out of everything was made at the start, and does not know this one.
    if (secretsOf(config.scripts).some((secret) => !this.#secrets.includes(secret)))
      return "a tool has a new secret, which only a new start can keep from being shown";
    try {
      const catalog = this.#built(config);
      return () => {
        this.#catalog = catalog;
        this.#scripts = config.scripts;
        this.#hash = config.scriptsHash;
      };
    } catch (error) {
      return error instanceof Error ? error.message : "the tools can't be used";
    }
  }

  #built({ scripts }: Config): Catalog {
    return catalogOf([...this.#parts.fixed, ...this.#parts.make(scripts)]);
  }
}

const secretsOf = (tools: readonly ScriptTool[]): readonly string[] =>
  tools.flatMap(({ sandbox }) =>
    Object.values(sandbox.environment).flatMap((value) => (value instanceof Secret ? [value.reveal()] : [])),
  );
