import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Config, loadConfig } from "../../src/config/config.ts";
import { DEFAULT_CONFIG } from "../../src/config/default-config.ts";
import { NOTHING_SPENT } from "../../src/domain/budget.ts";
import type { Digest } from "../../src/domain/digest.ts";
import type { Outcome } from "../../src/domain/outcome.ts";
import type { Journal } from "../../src/ports/journal.ts";
import type { RuleSource } from "../../src/rules/rule.ts";
import { defineTool } from "../../src/tools/function/define-tool.ts";
import { buildGate } from "../../src/wiring/build-gate.ts";
import type { Scratch } from "./scratch.ts";

/** A gate with the rules that `toolgate init` writes, and one tool that does nothing and says that it reads a file. */
export interface Governed {
  readonly call: () => Promise<Outcome>;
  readonly close: () => Promise<void>;
}

export interface GovernedOptions {
  /** A state directory, or a journal that keeps nothing. */
  readonly ledger: { readonly stateDir: string; readonly durability: "full" | "normal" } | "none";
  /** Rules instead of those of `toolgate init`. */
  readonly rules?: readonly RuleSource[];
  /** How many other tools there are. */
  readonly otherTools?: number;
}

export function openGoverned(scratch: Scratch, { ledger, rules, otherTools = 0 }: GovernedOptions): Governed {
  const config = configIn(scratch, rules ? JSON.stringify({ rules }) : DEFAULT_CONFIG);
  const others = Array.from({ length: otherTools }, (_, n) => echoTool(config.workspace, `other_${n}`));
  const tools = [...others, echoTool(config.workspace, "echo")];
  const gate =
    ledger === "none"
      ? buildGate({ config, tools }, { journal: KEEPS_NOTHING })
      : buildGate({ config: { ...config, ...ledger }, tools });
  return {
    call: async () => {
      const outcome = await gate.call({ tool: "echo", input: { text: "hello" } });
      // A refusal is faster than a call, and would look like a triumph.
      if (outcome.kind !== "completed") throw new Error(`a call ended as ${JSON.stringify(outcome)}`);
      return outcome;
    },
    close: () => gate.close(),
  };
}

function configIn(scratch: Scratch, text: string): Config {
  const path = join(scratch.makeFolder("workspace"), "toolgate.yaml");
  writeFileSync(path, text);
  const loaded = loadConfig({ path });
  if (!loaded.ok) throw new Error(`the config does not load: ${JSON.stringify(loaded.problems)}`);
  return loaded.config;
}

const echoTool = (workspace: string, name: string) =>
  defineTool<{ text: string }>({
    name,
    description: "Gives back its text.",
    inputSchema: {
      type: "object",
      properties: { text: { type: "string" } },
      required: ["text"],
      additionalProperties: false,
    },
    touches: () => [{ kind: "read", path: `${workspace}/notes.txt` }],
    execute: ({ text }) => text,
  });

const WRITTEN = Promise.resolve({ kind: "committed", receipt: { seq: 1, hash: "0".repeat(64) as Digest } } as const);

const KEEPS_NOTHING: Journal = {
  commit: () => WRITTEN,
  note: () => WRITTEN,
  lastNote: () => Promise.resolve({ kind: "read", entry: null }),
  questions: {
    open: () => Promise.resolve([]),
    find: () => Promise.resolve(null),
    ofCall: () => Promise.resolve(null),
    answered: () => Promise.resolve(null),
  },
  sessions: { find: () => null, open: () => Promise.resolve([]) },
  taken: () => NOTHING_SPENT,
  used: () => NOTHING_SPENT,
  keys: {
    hashed: ({ key }) => Promise.resolve(key),
    claim: () => Promise.resolve({ kind: "claimed" }),
    find: () => Promise.resolve(null),
    release: () => Promise.resolve(),
  },
  changeSession: () => WRITTEN,
  close: () => Promise.resolve(),
};
