// Waits for a line, so that several of it can start at once; then makes a signing key, or finds that there is one.
// node makes-signing-key.ts <state directory> <nonce>

import { once } from "node:events";
import { makeSigningKey } from "../../src/store/sqlite/signing-key.ts";

const [stateDir = "", nonce = ""] = process.argv.slice(2);
process.stdout.write("ready\n");
await once(process.stdin, "data");
makeSigningKey(stateDir, nonce);
process.stdout.write("made\n");
process.stdin.destroy();
