// Runs a program in the sandbox that never ends, says so once it runs, and waits to be killed.
// node sandboxes-forever.ts <marker>

import { realSandbox, scripted } from "../sandbox/real-sandbox.ts";

const [marker = ""] = process.argv.slice(2);
const script = `setsid sleep ${marker} & (sleep ${marker} &) ; echo running; sleep ${marker}`;
const { output } = realSandbox().start(scripted(script), new AbortController().signal);
for await (const chunk of output) process.stdout.write(chunk);
