// Runs a file with the code that V8 had compiled of it by the end of an earlier run of the same command. Node's own cache keeps
// what is compiled when a file is loaded, and none of the functions that are called later: to compile those anew was a fifth
// of what a short command took. See docs/design/020-short-commands.md.

const { readFileSync, renameSync, rmSync, writeFileSync } = process.getBuiltinModule("node:fs");
const { Script } = process.getBuiltinModule("node:vm");

const DIGEST_BYTES = 32;

/**
 * Where such code is kept, for which kind of V8, and whose is taken: the fittest first, the last is everybody's.
 * @type {{ folder: string, kind: string, names: readonly string[] } | null}
 */
let keeping = null;

/**
 * What was run, where its code may be kept, and with which of these it was run; their number: with none.
 * @type {{ script: import("node:vm").Script, source: string, places: readonly string[], found: number } | null}
 */
let ran = null;

/**
 * Before anything is run. Whoever can write to the folder can have anything run.
 * @param {NonNullable<typeof keeping>} where
 */
exports.keepIn = (where) => {
  keeping = where;
};

/**
 * Runs the script beside the module's own file (`gate.code` for `gate.cjs`) in its place.
 * @param {NodeModule} module
 * @param {NodeJS.Require} require
 */
exports.run = (module, require) => {
  const path = module.filename.replace(/cjs$/, "code");
  // All ASCII: the build sees to that.
  const source = `(function(exports,require,module,__filename,__dirname){${readFileSync(path, "latin1")}\n})`;
  const places = placesFor(path);
  const { cachedData, found } = firstKept(places, source);
  const script = new Script(source, { filename: path, cachedData });
  ran = { script, source, places, found: script.cachedDataRejected ? places.length : found };
  script.runInThisContext()(module.exports, require, module, module.filename, module.path);
};

/**
 * When all is done: what has been compiled by then is kept for the next time. Of a run that ended early that is little, and
 * what is kept stays: so it is nobody's own, and only better than nothing.
 * @param {"done" | "early"} end
 */
exports.keep = (end) => {
  if (ran === null) return;
  const { script, source, places, found } = ran;
  const index = end === "done" ? 0 : places.length - 1;
  const place = places[index];
  if (place === undefined || index >= found) return;
  const draft = `${place}.${process.pid}`;
  try {
    // Before the work is done, which is for nothing where nothing can be written.
    writeFileSync(draft, "", { mode: 0o600, flag: "wx" });
    const code = script.createCachedData();
    writeFileSync(draft, Buffer.concat([digestOf(code, source), code]));
    renameSync(draft, place);
  } catch {
    forget(draft);
  }
};

/**
 * Another package or another V8 takes other code: each has files of its own, or they would write the same one in turns.
 * @param {string} path
 */
function placesFor(path) {
  if (keeping === null) return [];
  const { folder, kind, names } = keeping;
  const whose = sha256().update(`${kind}\n${path}`).digest("hex").slice(0, 16);
  return names.map((name) => `${folder}/${name}-${whose}.code`);
}

const sha256 = () => process.getBuiltinModule("node:crypto").createHash("sha256");

/**
 * @param {readonly string[]} places
 * @param {string} source
 */
function firstKept(places, source) {
  for (const [found, place] of places.entries()) {
    const cachedData = kept(place, source);
    if (cachedData !== undefined) return { cachedData, found };
  }
  return { cachedData: undefined, found: places.length };
}

/**
 * The next run compiles it again, as this one did.
 * @param {string} draft
 */
function forget(draft) {
  try {
    rmSync(draft, { force: true });
  } catch {
    // nothing can be kept there
  }
}

/**
 * INVARIANT (whole code): V8 compares versions and the length of the source, and runs whatever else it is given. So it is
 * given only what was made of this very source, to the byte.
 * @param {string} path
 * @param {string} source
 */
function kept(path, source) {
  try {
    const file = readFileSync(path);
    const code = file.subarray(DIGEST_BYTES);
    return digestOf(code, source).equals(file.subarray(0, DIGEST_BYTES)) ? code : undefined;
  } catch {
    return undefined;
  }
}

/**
 * @param {Buffer} code
 * @param {string} source
 */
function digestOf(code, source) {
  return sha256()
    .update(`${process.version} ${process.arch} ${code.length}\n`)
    .update(code)
    .update(source, "latin1")
    .digest();
}
