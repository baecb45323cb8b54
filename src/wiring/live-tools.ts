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
  readonly make: (config: Pick<Config, "atip" | "scripts">) => readonly Tool[];
}

/**
 * The catalog in force. Script tools and described programs follow their files, all of them or none; a call that is being
 * planned with a tool that has changed is planned anew.
 */
export class LiveTools implements Catalog {
  readonly #parts: LiveToolsParts;
  readonly #secrets: readonly string[];
  #hash: Config["toolsHash"];
  #scripts: readonly ScriptTool[];
  #catalog: Catalog;
  #changed: () => void = () => {};

  constructor(parts: LiveToolsParts) {
    this.#parts = parts;
    this.#hash = parts.config.toolsHash;
    this.#scripts = parts.config.scripts;
    this.#secrets = secretsOf(parts.config);
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

  /** Told when others have taken their place. */
  onChange(changed: () => void): void {
    this.#changed = changed;
  }

  prepare(config: Config): (() => void) | string {
    if (config.toolsHash === this.#hash) return () => {};
    // What takes secrets out of everything was made at the start, and does not know this one.
    if (secretsOf(config).some((secret) => !this.#secrets.includes(secret)))
      return "a tool has a new secret, which only a new start can keep from being shown";
    try {
      const catalog = this.#built(config);
      return () => {
        this.#catalog = catalog;
        this.#scripts = config.scripts;
        this.#hash = config.toolsHash;
        this.#changed();
      };
    } catch (error) {
      return error instanceof Error ? error.message : "the tools can't be used";
    }
  }

  #built(config: Config): Catalog {
    return catalogOf([...this.#parts.fixed, ...this.#parts.make(config)]);
  }
}

const secretsOf = ({ atip, scripts }: Config): readonly string[] =>
  [...scripts.map(({ sandbox }) => sandbox.environment), ...atip.map(({ secrets = {} }) => secrets)].flatMap((given) =>
    Object.values(given).flatMap((value) => (value instanceof Secret ? [value.reveal()] : [])),
  );
