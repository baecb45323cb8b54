import { closeSync } from "node:fs";
import { residentSpawner } from "../../src/sandbox/spawner.ts";

/* Starts the spawner where the descriptors that it is told of are free. */
for (const fd of process.argv.slice(2)) closeSync(Number(fd));
const spawner = await residentSpawner();
console.log(JSON.stringify({ isThere: spawner !== null }));
