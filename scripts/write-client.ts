// Writes the generated part of the typed client (src/client) from the table of routes: `node scripts/write-client.ts`.
// With --check it only says what is out of date.

import { openApi } from "../src/doors/rest/openapi.ts";
import { ROUTES } from "../src/doors/rest/routes.ts";
import { clientFiles } from "./client/client-files.ts";
import { formatted, generate } from "./generated-file.ts";

for (const [name, source] of Object.entries(clientFiles(openApi(ROUTES, "http://127.0.0.1:7420")))) {
  const path = `src/client/${name}`;
  generate(path, formatted(path, source, "check --write"), "scripts/write-client.ts");
}
