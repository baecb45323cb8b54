import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { JsonValue } from "../../../src/domain/json.ts";
import type { Programs } from "../../../src/ports/programs.ts";
import type { RuleSource } from "../../../src/rules/rule.ts";
import { type GateParts, openScratchGate, type ScratchGate } from "../../support/scratch-gate.ts";

/** Every program, with the workspace writable. */
const RUN_PROGRAMS: readonly RuleSource[] = [
  { id: "run", effect: "allow", touch: { exec: ["**"] }, grant: { write: ["./**"] } },
  { id: "fetch", effect: "allow", options: "any", touch: { exec: ["fetcher **"] } },
];

/** As if the program were installed where no tool can write. */
export const installed = (...names: readonly string[]): Programs => ({
  resolve: async (word) =>
    names.includes(word) ? { path: `/usr/bin/${word}`, named: `/usr/bin/${word}`, toolchain: true } : null,
});

/** A gate whose tools are described: `entry` is what `tools.atip` says beside the file. */
export function openDescribedGate(
  metadata: JsonValue,
  { entry = {}, ...parts }: GateParts & { readonly entry?: object } = {},
): ScratchGate {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "toolgate-atip-")));
  mkdirSync(folder, { recursive: true });
  const file = join(folder, "described.json");
  writeFileSync(file, JSON.stringify(metadata));
  const scratch = openScratchGate({
    rules: RUN_PROGRAMS,
    ...parts,
    config: { ...parts.config, tools: { builtin: [], atip: [{ file, ...entry }] } },
  });
  const close = scratch[Symbol.asyncDispose];
  return Object.assign(scratch, {
    [Symbol.asyncDispose]: async () => {
      await close();
      rmSync(folder, { recursive: true, force: true });
    },
  });
}
