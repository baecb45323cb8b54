// Accepts so many texts of a config, one after the other, and says what came of each.
// node accepts-texts.ts <state folder> <config> <how many>

import { openTrust } from "../../src/config/trust.ts";

const [xdgState = "", config = "", count = ""] = process.argv.slice(2);
const trust = openTrust({ xdgState });
for (let n = 0; n < Number(count); n++) {
  const accepted = trust.trust(config, String(n), 0);
  process.stdout.write(`${JSON.stringify({ accepted, isTrusted: trust.isTrusted(config, String(n)) })}\n`);
}
