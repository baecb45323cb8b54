// Takes an owner's lock, says so, and holds it until its input ends; then lets go.
// node holds-owner-lock.ts <state directory> <owner>

import { takeOwnerLock } from "../../src/store/sqlite/owner-lock.ts";

const [stateDir = "", owner = ""] = process.argv.slice(2);
const lock = takeOwnerLock(stateDir, owner);
process.stdin.on("end", () => lock.release()).resume();
process.stdout.write("held\n");
