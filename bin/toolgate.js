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
  // Not imported: an old Node would fail on the import before it could print the sentence above.
  const { existsSync, lstatSync, mkdirSync, realpathSync } = process.getBuiltinModule("node:fs");
  const cache = compileCache();
  if (cache !== null) process.getBuiltinModule("node:module").enableCompileCache(cache);
  // A clone has src/ and runs it directly by type stripping; a published package has only dist/.
  const isClone = existsSync(new URL("../src", import.meta.url));
  const entry = new URL(isClone ? "../src/doors/cli/main.ts" : "../dist/cli/main.js", import.meta.url);
  const { main } = await import(entry.href);
  process.exitCode = await main(process.argv.slice(2));

  /**
   * The folder of Node's compile cache, or null for no cache. Node runs the code that it finds there, and its default is a
   * folder of `/tmp` that another user may have made first. So it is a private folder of this user, closed to tools.
   */
  function compileCache() {
    const { HOME, XDG_STATE_HOME } = process.env;
    const state = [XDG_STATE_HOME, HOME && `${HOME}/.local/state`].find((path) => path?.startsWith("/"));
    if (state === undefined) return null;
    const folder = `${state}/toolgate/trusted-code`;
    try {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      const { uid, mode } = lstatSync(folder);
      const isOwn = uid === process.getuid?.() && (mode & 0o170022) === 0o040000;
      // A built-in rule closes the folder by its name, which a link would hide.
      return isOwn && realpathSync(folder).endsWith("/toolgate/trusted-code") ? folder : null;
    } catch {
      return null; // a cache only saves time: a folder that can't be made or read means no cache
    }
  }
}
