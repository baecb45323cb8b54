#!/usr/bin/env node
// Must parse on Node 18, so that an old Node gets a sentence and not a stack trace.

const NODE_MAJOR_MIN = 24;

if (Number.parseInt(process.versions.node, 10) < NODE_MAJOR_MIN) {
  process.stderr.write(
    `toolgate: needs Node.js ${NODE_MAJOR_MIN} or newer, this is ${process.version}; ` +
      "install a newer Node.js, or in a clone run `npm run toolgate -- <arguments>`, which brings its own\n",
  );
  process.exitCode = 2;
} else {
  // Not imported: that would load more of Node than a short command needs.
  const { existsSync } = process.getBuiltinModule("node:fs");
  process.getBuiltinModule("node:module").enableCompileCache();
  // A clone has src/ and runs it directly by type stripping; a published package has only dist/.
  const isClone = existsSync(new URL("../src", import.meta.url));
  const entry = isClone ? "../src/doors/cli/main.ts" : "../dist/doors/cli/main.js";
  const { main } = await import(new URL(entry, import.meta.url).href);
  process.exitCode = await main(process.argv.slice(2));
}
