import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "rolldown";

const CACHE = fileURLToPath(new URL("../../node_modules/.cache", import.meta.url));

export interface Bundled extends Disposable {
  /** Of one of the programs, by the path of its source. */
  readonly pathOf: (source: string) => string;
}

/** Programs as one file each and what they share: they start in half the time, for who starts them a thousand times. */
export async function bundled(...sources: readonly string[]): Promise<Bundled> {
  mkdirSync(CACHE, { recursive: true });
  const dir = mkdtempSync(join(CACHE, "programs-"));
  const isPackage = (id: string) => !/^[./]/.test(id);
  await build({ input: [...sources], platform: "node", external: isPackage, output: { dir }, logLevel: "silent" });
  return {
    pathOf: (source) => join(dir, `${basename(source, ".ts")}.js`),
    [Symbol.dispose]: () => rmSync(dir, { recursive: true, force: true }),
  };
}
