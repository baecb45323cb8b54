// Builds what is published: one file per entry and a few shared chunks. A module costs more to find and load than to run,
// and a cold `toolgate explain` would load two hundred of them.
import { rolldown } from "rolldown";

/**
 * Node's own modules, taken without their ES face: making that face reads every export once, and with it loads what a
 * getter would have loaded later or never (`node:fs` its streams, `node:http` all of `fetch`).
 * @type {import("rolldown").Plugin}
 */
const bareBuiltins = {
  name: "bare-builtins",
  resolveId: (id, _, { kind }) => {
    if (!id.startsWith("node:") || id === "node:module") return null;
    // Who loads one late wants all of it, and that must not make those who don't load all of it early.
    return kind === "dynamic-import" ? { id, external: true } : { id: `\0${id}`, moduleSideEffects: false };
  },
  load: (id) => {
    if (!id.startsWith("\0node:")) return null;
    const name = id.slice(1);
    const names = Object.keys(process.getBuiltinModule(name) ?? {}).filter(
      (key) => /^[A-Za-z_$][\w$]*$/.test(key) && key !== "default",
    );
    if (LATE.has(name)) return lateFace(name, names);
    const exported = names.map((key) => `export const ${key} = /* @__PURE__ */ (() => builtin.${key})();`);
    return [`const builtin = process.getBuiltinModule("${name}");`, "export default builtin;", ...exported].join("\n");
  },
};

/** Nothing but functions, and no part of what a short command does: loaded by the first of them that is called. */
const LATE = new Set(["node:fs/promises", "node:timers/promises"]);

/**
 * @param {string} name
 * @param {readonly string[]} names
 */
function lateFace(name, names) {
  const builtin = process.getBuiltinModule(name) ?? {};
  const functions = names.filter((key) => typeof Reflect.get(builtin, key) === "function");
  return [
    "let builtin;",
    `const late = (key) => (...args) => (builtin ??= process.getBuiltinModule("${name}"))[key](...args);`,
    ...functions.map((key) => `export const ${key} = /* @__PURE__ */ late("${key}");`),
  ].join("\n");
}

/**
 * The parser of YAML as one file: it has 74 of its own, and they are found one by one.
 * @type {import("rolldown").Plugin}
 */
const ownYaml = {
  name: "own-yaml",
  transform: (code, id) =>
    id.endsWith("/yaml-package.ts") ? code.replace('require("yaml")', 'require("./yaml.js").default') : null,
};

/**
 * All ASCII: one other character makes V8 keep a whole file in two bytes per character, and read it more slowly.
 * @type {import("rolldown").Plugin}
 */
const ascii = {
  name: "ascii",
  generateBundle: (_, files) => {
    for (const file of Object.values(files)) if (file.type === "chunk") file.code = escaped(file.code);
  },
};

/** @param {string} code */
const escaped = (code) =>
  code.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);

/** Which modules each one loads with it. */
const imports = new Map();
/** @type {import("rolldown").Plugin} */
const graph = { name: "graph", moduleParsed: ({ id, importedIds }) => void imports.set(id, importedIds) };

/**
 * All that a module loads with it, itself included.
 * @param {string} ending
 */
function loadedWith(ending) {
  /** @type {Set<string> | null} */
  let all = null;
  return (/** @type {string} */ id) => {
    if (all === null) {
      all = new Set([...imports.keys()].filter((one) => one.endsWith(ending)));
      for (const one of all) for (const next of imports.get(one) ?? []) all.add(next);
    }
    return all.has(id);
  };
}

const bundle = await rolldown({
  input: {
    index: "src/index.ts",
    "doors/atip/index": "src/doors/atip/index.ts",
    "doors/rpc/index": "src/doors/rpc/index.ts",
    "client/index": "src/client/index.ts",
    "doors/cli/main": "src/doors/cli/main.ts",
    "chunks/verify-worker": "src/store/sqlite/verify-worker.ts",
    "chunks/yaml": "yaml",
  },
  platform: "node",
  plugins: [bareBuiltins, ownYaml, ascii, graph],
  // Loaded only when a rule, a schema or a tool needs them.
  external: [
    "ajv",
    "ajv-formats",
    "hash-wasm",
    "re2js",
    "@marcbachmann/cel-js",
    "diff",
    "@vscode/ripgrep",
    "unbash",
    /^ajv\//,
  ],
});

await bundle.write({
  dir: process.argv[2] ?? "dist",
  format: "esm",
  entryFileNames: "[name].js",
  chunkFileNames: "chunks/[name].js",
  // Less to read at each start; names stay, for stack traces.
  minify: { compress: false, mangle: false, codegen: { removeWhitespace: true } },
  // The thread that verifies is found beside the module that starts it, so that one has to be in `chunks/`.
  codeSplitting: {
    groups: [
      // By itself, or what all need of the bundler would stand beside it, and all would load it.
      { name: "yaml-parser", test: /node_modules\/yaml\// },
      { name: "verify-ledger", test: /store\/sqlite\/verify-ledger/, priority: 3 },
      { name: "command", test: loadedWith("src/doors/cli/main.ts"), priority: 2 },
      { name: "gate", test: loadedWith("src/doors/cli/explain.ts"), priority: 1 },
    ],
  },
});
await bundle.close();
