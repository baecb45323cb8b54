import { existsSync } from "node:fs";
import { tmpdir } from "node:os";

const SHARED_MEMORY = "/dev/shm";

/** Where what is thrown away again is made, if it need not survive the machine: what is synced there costs nothing. */
export const MEMORY = existsSync(SHARED_MEMORY) ? SHARED_MEMORY : tmpdir();
