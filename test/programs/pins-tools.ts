// Waits for a line, then lists tools of its own, and ones that all list, each as it says them, round after round.
// Prints which were pinned as seen for the first time, as the ledger is told it.
// node pins-tools.ts <state directory> <name> <rounds>

import { once } from "node:events";
import { pinFiles } from "../../src/store/pins/pin-files.ts";
import { PinBook } from "../../src/tools/mcp/pin-book.ts";
import { systemClock } from "../../src/wiring/system-clock.ts";

const [stateDir = "", name = "", rounds = ""] = process.argv.slice(2);

const book = new PinBook({
  clock: systemClock,
  pins: pinFiles(stateDir, systemClock),
  note: async (kind, { tools }) => {
    if (kind === "upstream.pinned") for (const tool of Object.keys(tools ?? {})) process.stdout.write(`${tool}\n`);
    await new Promise(setImmediate);
    return null;
  },
  upstream: "up",
  holds: "tools",
  flags: () => () => [],
  onChange: () => {},
  onFault: () => {},
});

const tool = (called: string) => ({
  name: called,
  description: `of ${name}`,
  inputSchema: { type: "object" as const },
});

process.stdout.write("ready\n");
await once(process.stdin, "data");
for (let round = 0; round < Number(rounds); round++) {
  const listed = [tool(`${name}${round}`), tool(`shared${round}`)];
  const fault = await book.compare({ listed, malformed: [] }, []);
  if (fault !== null) throw new Error(fault.message);
}
process.stdin.destroy();
