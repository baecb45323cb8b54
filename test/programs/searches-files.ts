// Searches a workspace through the tool and prints how it ended, as JSON.
// node searches-files.ts <workspace> <query>

import { openFiles } from "../../src/files/open-files.ts";
import { searchFilesTool } from "../../src/tools/builtin/search-files.ts";
import { systemClock } from "../../src/wiring/system-clock.ts";
import { realSandbox } from "../sandbox/real-sandbox.ts";
import { redactorFor } from "../support/redaction.ts";
import { useTool } from "../tools/builtin/use-tool.ts";

const [workspace = "", query = ""] = process.argv.slice(2);
const files = openFiles({ workspace });
const tool = searchFilesTool({ files, sandbox: realSandbox(workspace), clock: systemClock, redactor: redactorFor() });
process.stdout.write(JSON.stringify((await useTool(tool, { query })).result));
