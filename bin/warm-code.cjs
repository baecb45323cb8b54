// Runs a file with the code that V8 had compiled of it by the end of an earlier run of the same command. Node's own cache keeps
// what is compiled when a file is loaded, and none of the functions that are called later: to compile those anew was a fifth
// of what a short command took. See docs/design/020-short-commands.md.

const { readFileSync, renameSync, rmSync, writeFileSync } = process.getBuiltinModule("node:fs");
const { Script } = process.getBuiltinModule("node:vm");

const DIGEST_BYTES = 32;

/**
 * The file for the code of this command; null: none is kept.
 * @type {string | null}
 */
let place = null;

/**
 * What was run without such code.
 * @type {{ script: import("node:vm").Script, source: string } | null}
 */
let unkept = null;

/**
 * Before anything is run. Whoever can write to the folder can have anything run.
 * @param {string} folder
 * @param {string} command
 */
exports.keepIn = (folder, command) => {
  place = `${folder}/${command}.code`;
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
  const cachedData = place === null ? undefined : kept(place, source);
  const script = new Script(source, { filename: path, cachedData });
  if (cachedData === undefined || script.cachedDataRejected) unkept = { script, source };
  script.runInThisContext()(module.exports, require, module, module.filename, module.path);
};

/** When all is done: what has been compiled by then is kept for the next time. */
exports.keep = () => {
  if (place === null || unkept === null) return;
  const draft = `${place}.${process.pid}`;
  try {
    const code = unkept.script.createCachedData();
    writeFileSync(draft, Buffer.concat([digestOf(code, unkept.source), code]), { mode: 0o600, flag: "wx" });
    renameSync(draft, place);
  } catch {
    forget(draft);
  }
};

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
  const hash = process.getBuiltinModule("node:crypto").createHash("sha256");
  return hash
    .update(`${process.version} ${process.arch} ${code.length}\n`)
    .update(code)
    .update(source, "latin1")
    .digest();
}
