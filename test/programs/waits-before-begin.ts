// Sets up a sandbox, prints the process id of its first process once everything is mounted, and never lets the program begin.
// node waits-before-begin.ts <folder that the program would write to>

import { openFiles } from "../../src/files/open-files.ts";
import type { CheckedPath } from "../../src/ports/files.ts";
import { LaunchStatus } from "../../src/sandbox/launch-status.ts";
import { lookAround } from "../../src/sandbox/machine.ts";
import { mountedAsHeld } from "../../src/sandbox/mounted-as-held.ts";
import { startBubblewrap } from "../../src/sandbox/start-bubblewrap.ts";
import { Turns } from "../../src/sandbox/turns.ts";
import { untilSetUp } from "../../src/sandbox/until-set-up.ts";
import { scripted } from "../sandbox/real-sandbox.ts";

const [folder = ""] = process.argv.slice(2);
const machine = lookAround({ searchPath: ["/usr/bin", "/bin"], workspace: folder });
if ("code" in machine) throw new Error(machine.message);
const held = await openFiles({ workspace: folder }).hold(folder as CheckedPath, "directory");
if (!held.ok) throw new Error(held.fault.message);
const command = scripted(`echo ran > '${folder}/ran'`, [{ kind: "held", held: held.value, access: "write" }]);
const limits = { ...command.limits, fileBytes: 2 ** 20 };
const start = { turns: new Turns(), isWanted: () => true };
const bubblewrap = await startBubblewrap({ ...command, limits }, machine, start);
if (bubblewrap === null) throw new Error("wanted");
const status = new LaunchStatus();
bubblewrap.status.setEncoding("utf8").on("data", (text: string) => status.add(text));
const look = () => mountedAsHeld(status.childPid() ?? 0, bubblewrap.readyFolder, []);
await untilSetUp(look, () => false);
process.stdout.write(`${status.childPid()}\n`);
setInterval(() => {}, 60_000);
