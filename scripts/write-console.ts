// Writes the console (console/) into the one module that the server sends it from: `node scripts/write-console.ts`.
// With --check it only says whether that is out of date.

import { fileURLToPath } from "node:url";
import { consoleAssets } from "./console/console-assets.ts";
import { formatted, generate } from "./generated-file.ts";

const PATH = "src/doors/console/assets.ts";

const source = await consoleAssets(fileURLToPath(new URL("../console", import.meta.url)));
generate(PATH, formatted(PATH, source, "format"), "scripts/write-console.ts");
