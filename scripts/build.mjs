// Builds what is published, in one file per entry and a few shared chunks: a module costs more to find and load than to run,
// and a cold `toolgate explain` would load two hundred of them. The library is ES modules. The command line is scripts, because
// only of a script can compiled code be kept that was compiled while it ran (`bin/warm-code.cjs`).
import { dirname, relative, resolve } from "node:path";
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
const LATE = new Set(["node:fs/promises", "node:sqlite", "node:timers/promises"]);

/**
 * @param {string} name
 * @param {readonly string[]} names
 */
function lateFace(name, names) {
  const builtin = process.getBuiltinModule(name) ?? {};
  const functions = names.filter((key) => typeof Reflect.get(builtin, key) === "function");
  return [
    "let builtin;",
    "const late = (key) => function (...args) {",
    `  const value = (builtin ??= process.getBuiltinModule("${name}"))[key];`,
    "  return new.target ? new value(...args) : value(...args);",
    "};",
    ...functions.map((key) => `export const ${key} = /* @__PURE__ */ late("${key}");`),
  ].join("\n");
}

/**
 * Parts of our own that few commands call: each is a file of its own, which the first call of one of its functions loads.
 * The source imports them like all others. What else they export is not to be had: who wants it fails the build.
 */
const LATE_PARTS = [
  "src/atip/read-metadata.ts",
  "src/config/apm2-policy.ts",
  "src/config/governors-in.ts",
  "src/config/policies-in.ts",
  "src/config/scripts-file.ts",
  "src/files/change.ts",
  "src/pipeline/run.ts",
  "src/sandbox/bubblewrap.ts",
  "src/sandbox/uncontained.ts",
  "src/schema/full/full-check.ts",
  "src/shell/check-words.ts",
  "src/shell/command-touches.ts",
  "src/shell/read-script.ts",
  "src/store/sqlite/connection.ts",
  "src/store/sqlite/verify-ledger.ts",
  "src/tools/atip/atip-tools.ts",
  "src/tools/builtin/git/git.ts",
  "src/tools/builtin/patch/parse-patch.ts",
  "src/tools/builtin/patch/patched.ts",
  "src/tools/builtin/shell-tools.ts",
  "src/tools/builtin/web-tools.ts",
  "src/tools/lint/lint-scripts.ts",
  "src/tools/script/script-tool.ts",
  "src/wiring/check-tools.ts",
].map((part) => resolve(part));

const FACE = "\0late:";

/** @param {string} path */
const lateFile = (path) => `late-${relative("src", path).slice(0, -".ts".length).replaceAll("/", "-")}`;

/**
 * @param {string} extension
 * @returns {import("rolldown").Plugin}
 */
const lateParts = (extension) => ({
  name: "late-parts",
  resolveId: (id, importer, { kind }) => {
    const path = importer === undefined ? null : resolve(dirname(importer), id);
    if (path === null || !LATE_PARTS.includes(path)) return null;
    // Node can't load at once what somebody else is still loading.
    if (kind !== "import-statement") throw new Error(`${path} is loaded late, and can't be imported as well`);
    return `${FACE}${path}`;
  },
  load: async (id) => {
    if (!id.startsWith(FACE)) return null;
    const path = id.slice(FACE.length);
    const exported = Object.entries(await import(path));
    const functions = exported.filter(([, value]) => typeof value === "function" && !/^class\b/.test(String(value)));
    return [
      'import { createRequire } from "node:module";',
      // Beside the file that faces are in: see the groups below.
      `const load = () => createRequire(import.meta.url)("./${lateFile(path)}.${extension}");`,
      // From then on the name is that of the function itself.
      ...functions.map(([key]) => `export let ${key} = (...args) => (({ ${key} } = load()), ${key}(...args));`),
    ].join("\n");
  },
});

/**
 * The parser of YAML as one file: it has 74 of its own, and they are found one by one.
 * @param {string} extension
 * @returns {import("rolldown").Plugin}
 */
const ownYaml = (extension) => ({
  name: "own-yaml",
  transform: (code, id) =>
    id.endsWith("/yaml-package.ts") ? code.replace('require("yaml")', ownYamlOf[extension] ?? "") : null,
});

/** @type {Record<string, string>} */
const ownYamlOf = { js: 'require("./yaml.js").default', cjs: 'require("./yaml.cjs")' };

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

/**
 * What every command that has a gate loads: run with the code that V8 had compiled of it when the same command ended before.
 * @type {import("rolldown").Plugin}
 */
const warmGate = {
  name: "warm-gate",
  generateBundle: {
    order: "post",
    handler(_, files) {
      const file = files["chunks/gate.cjs"];
      if (file?.type !== "chunk") throw new Error("there is no chunk of the gate");
      if (/\bimport\(/.test(file.code)) throw new Error("the gate imports something while it runs");
      this.emitFile({ type: "asset", fileName: "chunks/gate.code", source: file.code });
      file.code = 'require("../../../bin/warm-code.cjs").run(module,require);\n';
    },
  },
};

/** Which modules each one loads with it, and which it may load later. */
class Graph {
  /** @type {Map<string, readonly string[]>} */
  imports = new Map();
  /** @type {Map<string, readonly string[]>} */
  dynamicImports = new Map();
  /** @type {import("rolldown").Plugin} */
  plugin = {
    name: "graph",
    moduleParsed: ({ id, importedIds, dynamicallyImportedIds }) => {
      this.imports.set(id, importedIds);
      this.dynamicImports.set(id, dynamicallyImportedIds);
    },
  };

  /**
   * All that modules load with them, themselves included.
   * @param {(id: string) => boolean} isFirst
   * @param {readonly Map<string, readonly string[]>[]} ways
   */
  loadedWith(isFirst, ways = [this.imports]) {
    /** @type {Set<string> | null} */
    let all = null;
    return (/** @type {string} */ id) => {
      if (all === null) {
        all = new Set([...this.imports.keys()].filter(isFirst));
        for (const one of all) for (const way of ways) for (const next of way.get(one) ?? []) all.add(next);
      }
      return all.has(id);
    };
  }
}

/**
 * @param {Record<string, string>} input
 * @param {{ dir: string, format: "esm" | "cjs", more?: import("rolldown").Plugin[] }} set
 */
async function build(input, { dir, format, more = [] }) {
  const extension = format === "esm" ? "js" : "cjs";
  const graph = new Graph();
  const entries = new Set(Object.values(input).map((path) => resolve(path)));
  const byEveryCommand = graph.loadedWith((id) => id.endsWith("src/doors/cli/main.ts"));
  const byExplain = graph.loadedWith((id) => id.endsWith("src/doors/cli/explain.ts"));
  const byLateParts = graph.loadedWith((id) => LATE_PARTS.includes(id));
  const byOthers = graph.loadedWith((id) => entries.has(id), [graph.imports, graph.dynamicImports]);
  /** What a late part needs is there already, or is loaded by late parts only: Node can't load at once what is on its way. */
  const isSharedWithLate = (/** @type {string} */ id) => byLateParts(id) && byOthers(id);

  const bundle = await rolldown({
    input: {
      ...input,
      "chunks/yaml": "yaml",
      ...Object.fromEntries(LATE_PARTS.map((path) => [`chunks/${lateFile(path)}`, path])),
    },
    platform: "node",
    plugins: [lateParts(extension), bareBuiltins, ownYaml(extension), ascii, graph.plugin, ...more],
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
  /** @type {import("rolldown").OutputOptions} */
  const output = {
    dir,
    format,
    strict: true,
    // What a script of `node:vm` imports is experimental, and Node warns of it.
    dynamicImportInCjs: false,
    entryFileNames: `[name].${extension}`,
    chunkFileNames: `chunks/[name].${extension}`,
    // Less to read at each start; names stay, for stack traces.
    minify: { compress: false, mangle: false, codegen: { removeWhitespace: true } },
  };
  await bundle.write({
    ...output,
    codeSplitting: {
      groups: [
        // By itself, or what all need of the bundler would stand beside it, and all would load it.
        { name: "yaml-parser", test: /node_modules\/yaml\// },
        { name: "command", test: byEveryCommand, priority: 2 },
        {
          name: "gate",
          test: (id) => byExplain(id) || isSharedWithLate(id) || id.startsWith(FACE),
          priority: 1,
        },
      ],
    },
  });
  await bundle.close();

  // The thread that verifies is found beside the module that starts it. It shares nothing with others, or each would load the gate.
  const thread = await rolldown({
    input: { "chunks/verify-worker": "src/store/sqlite/verify-worker.ts" },
    platform: "node",
    plugins: [bareBuiltins, ascii],
  });
  await thread.write(output);
  await thread.close();
}

const dist = process.argv[2] ?? "dist";
const library = {
  index: "src/index.ts",
  "doors/atip/index": "src/doors/atip/index.ts",
  "doors/rpc/index": "src/doors/rpc/index.ts",
  "client/index": "src/client/index.ts",
};
await build(library, { dir: dist, format: "esm" });
await build({ main: "src/doors/cli/main.ts" }, { dir: `${dist}/cli`, format: "cjs", more: [warmGate] });
