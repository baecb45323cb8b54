import { join } from "node:path";
import { build } from "rolldown";
import { ROOT } from "./built-once.ts";

const bundled = new Map<string, Promise<string>>();

/** A program of `test/programs` with all that it imports, as text: a sandbox has no packages. */
export function bundledProgram(name: `${string}.ts`): Promise<string> {
  const made = bundled.get(name) ?? bundle(name);
  bundled.set(name, made);
  return made;
}

async function bundle(name: string): Promise<string> {
  const input = join(ROOT, "test/programs", name);
  const { output } = await build({ input, platform: "node", write: false, logLevel: "silent" });
  return output[0].code;
}
