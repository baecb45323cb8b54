import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** For so long, what is temporary lies where nobody else puts anything: so that what is left can be counted. */
export function ownTemporary(): Disposable & { readonly folder: string } {
  const before = process.env["TMPDIR"];
  const folder = mkdtempSync(join(tmpdir(), "toolgate-own-"));
  process.env["TMPDIR"] = folder;
  return {
    folder,
    [Symbol.dispose]: () => {
      if (before === undefined) delete process.env["TMPDIR"];
      else process.env["TMPDIR"] = before;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
