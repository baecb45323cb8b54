// Writes docs/reference from the code: `node scripts/write-reference.ts`. With --check it only says what is out of date.

import { generate } from "./generated-file.ts";
import { cliReference } from "./reference/cli-reference.ts";
import { codesReference } from "./reference/codes-reference.ts";
import { configReference } from "./reference/config-reference.ts";

const PAGES: Readonly<Record<string, string>> = {
  "cli.md": await cliReference(),
  "codes.md": codesReference(),
  "config.md": configReference(),
};

for (const [name, text] of Object.entries(PAGES))
  generate(`docs/reference/${name}`, text, "scripts/write-reference.ts");
