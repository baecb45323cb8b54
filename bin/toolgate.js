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
  const { existsSync, lstatSync, mkdirSync, realpathSync } = process.getBuiltinModule("node:fs");
  const { createRequire, enableCompileCache, getCompileCacheDir } = process.getBuiltinModule("node:module");
  const words = process.argv.slice(2);
  const cache = compileCache();
  if (cache !== null) enableCompileCache(cache);
  // A clone has src/ and runs it directly by type stripping; a published package has only dist/.
  if (existsSync(new URL("../src", import.meta.url))) {
    const { main } = await import(new URL("../src/doors/cli/main.ts", import.meta.url).href);
    process.exitCode = await main(words);
  } else {
    const load = createRequire(import.meta.url);
    /** @type {typeof import("./warm-code.cjs")} */
    const warmCode = load("./warm-code.cjs");
    /** @type {typeof import("../src/doors/cli/main.ts")} */
    const { isCommand, main } = load("../dist/cli/main.cjs");
    const [command = ""] = words;
    const names = isCommand(command) ? [command, "other"] : ["other"];
    // What Node calls its folder: by its version and the flags of V8. The folder itself may be one that anybody can write to.
    const kind = getCompileCacheDir()?.split("/").at(-1);
    if (cache !== null && kind !== undefined) warmCode.keepIn({ folder: cache, kind, names });
    const exitCode = await main(words);
    process.exitCode = exitCode;
    warmCode.keep(exitCode === 0 && !words.includes("--help") ? "done" : "early");
  }

  /**
   * Where compiled code is kept; null = nowhere. Node runs what it finds there, and by itself looks in a folder of `/tmp`
   * that anybody may have made first: so it is a folder of this user, that nobody else can write to, and no tool either.
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
      // The rule that closes it to tools knows it by its name: behind a link it may have another.
      return isOwn && realpathSync(folder).endsWith("/toolgate/trusted-code") ? folder : null;
    } catch {
      return null;
    }
  }
}
