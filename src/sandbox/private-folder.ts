import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A new folder that only this user may enter, for as long as it is needed. */
export function privateFolder(): Disposable & { readonly path: string } {
  const path = mkdtempSync(join(tmpdir(), "toolgate-way-"));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}
