import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { ROOT } from "./built-once.ts";
import { BUILT_PROGRAM } from "./built-program.ts";

/** Installs the published package and what it depends on below `folder`, as npm does. Returns its `bin/toolgate.js`. */
export function installProgram(folder: string): string {
  const modules = join(folder, "node_modules");
  const own = join(modules, "toolgate");
  const built = dirname(dirname(BUILT_PROGRAM));
  for (const name of ["bin", "dist", "package.json"]) cpSync(join(built, name), join(own, name), { recursive: true });
  installDependencies(own, modules, new Set());
  mkdirSync(join(modules, ".bin"));
  symlinkSync("../toolgate/bin/toolgate.js", join(modules, ".bin/toolgate"));
  return join(own, "bin/toolgate.js");
}

/** What only the library's MCP doors bundle is large, and not loaded by the command line. */
const NOT_COPIED = /^(?:@modelcontextprotocol|hono|@hono|zod|jose|@opentelemetry)/;

function installDependencies(from: string, modules: string, seen: Set<string>): void {
  const { dependencies = {}, optionalDependencies = {} } = JSON.parse(readFileSync(join(from, "package.json"), "utf8"));
  for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
    const source = join(ROOT, "node_modules", name);
    if (seen.has(name) || NOT_COPIED.test(name) || !existsSync(source)) continue;
    seen.add(name);
    cpSync(source, join(modules, name), { recursive: true });
    installDependencies(source, modules, seen);
  }
}
