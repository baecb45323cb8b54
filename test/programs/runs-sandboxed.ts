// Runs one command in the sandbox and prints how it ended, as JSON.

import { ran, scripted } from "../sandbox/real-sandbox.ts";

const { end, out } = await ran(scripted("echo hello"));
process.stdout.write(JSON.stringify({ end, out }));
