// Swaps a directory and a link to another place, as fast as it can, until its input ends.
// node swaps-links.ts <directory> <link>

import { renameSync } from "node:fs";

const [directory = "", link = ""] = process.argv.slice(2);
const away = `${directory}.away`;

function swapMany(): void {
  for (let i = 0; i < 500; i += 1) {
    renameSync(directory, away);
    renameSync(link, directory);
    renameSync(directory, link);
    renameSync(away, directory);
  }
  setImmediate(swapMany);
}

process.stdin.on("end", () => process.exit(0)).resume();
process.stdout.write("swapping\n");
swapMany();
