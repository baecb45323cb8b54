// A gate that runs one command and prints what the command prints, as it comes.
// node runs-command.ts <config> <command>

import { loadConfig } from "../../src/config/config.ts";
import { buildGate } from "../../src/wiring/build-gate.ts";

const [path = "", command = ""] = process.argv.slice(2);
const loaded = loadConfig({ path });
if (!loaded.ok) throw new Error(JSON.stringify(loaded.problems));
const gate = buildGate({ config: loaded.config });
const onProgress = ({ message }: { readonly message: string }) => void process.stdout.write(message);
await gate.call({ tool: "run_command", input: { command } }, { onProgress });
await gate.close();
