// Lets programs make what is closed, in every way of `attacks-at-depth.ts`, and prints as JSON what is left of each.

import { openRunningGate, RUN_ALL } from "../support/running-gate.ts";
import { ATTACKS, CLOSED, closedNames } from "../tools/sandboxed/attacks-at-depth.ts";

const left: Record<string, readonly string[]> = {};
for (const [name, script] of ATTACKS) {
  await using scratch = openRunningGate([...RUN_ALL, CLOSED]);
  for (const path of ["sub/deep/x", "old/npmrc", "top"]) scratch.put(path, "mine");
  scratch.put("attack.sh", script);
  await scratch.run("bash attack.sh");
  left[name] = closedNames(scratch.workspace);
}
process.stdout.write(JSON.stringify(left));
