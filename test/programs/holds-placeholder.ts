// Puts a placeholder somewhere, says so, and waits to be killed: node holds-placeholder.ts <path>

import { openTrees } from "../../src/files/open-trees.ts";

const [path = ""] = process.argv.slice(2);
process.stdout.write(openTrees().place(path) === null ? "refused\n" : "placed\n");
setInterval(() => {}, 60_000);
