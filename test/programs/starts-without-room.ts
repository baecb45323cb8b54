import { mkdirSync } from "node:fs";
import { openBubblewrap } from "../../src/sandbox/bubblewrap.ts";

/* A sandbox where temporary files can't be made, and once they can. */
const folder = process.argv[2] ?? "";
process.env["TMPDIR"] = folder;
const sandbox = openBubblewrap({ searchPath: ["/usr/bin", "/bin"], workspace: "/nowhere" });
const limits = { memoryBytes: 2 ** 29, openFiles: 256 };
const ends = async () =>
  await sandbox.start({ argv: ["/bin/true"], mounts: [], view: "system", limits }, new AbortController().signal).ended;
const without = [sandbox.missing(), await ends()];
mkdirSync(folder);
console.log(JSON.stringify({ without, after: [sandbox.missing(), await ends()] }));
