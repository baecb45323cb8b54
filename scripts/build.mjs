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
  resolveId: (id) =>
    id.startsWith("node:") && id !== "node:module" ? { id: `\0${id}`, moduleSideEffects: false } : null,
  load: (id) => {
    if (!id.startsWith("\0node:")) return null;
    const name = id.slice(1);
    const names = Object.keys(process.getBuiltinModule(name) ?? {}).filter(
      (key) => /^[A-Za-z_$][\w$]*$/.test(key) && key !== "default",
    );
    const exported = names.map((key) => `export const ${key} = /* @__PURE__ */ (() => builtin.${key})();`);
    return [`const builtin = process.getBuiltinModule("${name}");`, "export default builtin;", ...exported].join("\n");
  },
};

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

const bundle = await rolldown({
  input: {
    index: "src/index.ts",
    "doors/atip/index": "src/doors/atip/index.ts",
    "client/index": "src/client/index.ts",
    "doors/cli/main": "src/doors/cli/main.ts",
    "chunks/verify-worker": "src/store/sqlite/verify-worker.ts",
    "chunks/yaml": "yaml",
  },
  platform: "node",
  plugins: [bareBuiltins, ownYaml, ascii],
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
  dir: "dist",
  format: "esm",
  entryFileNames: "[name].js",
  chunkFileNames: "chunks/[name].js",
  // Less to read at each start; names stay, for stack traces.
  minify: { compress: false, mangle: false, codegen: { removeWhitespace: true } },
  // The thread that verifies is found beside the module that starts it, so that one has to be in `chunks/`.
  codeSplitting: { groups: [{ name: "verify-ledger", test: /store\/sqlite\/verify-ledger/ }] },
});
await bundle.close();
