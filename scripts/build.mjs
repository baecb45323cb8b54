// Builds what is published: one file per entry and a few shared chunks. A module costs more to find and load than to run,
// and a cold `toolgate explain` would load two hundred of them.
import { rolldown } from "rolldown";

const bundle = await rolldown({
  input: {
    index: "src/index.ts",
    "doors/atip/index": "src/doors/atip/index.ts",
    "doors/cli/main": "src/doors/cli/main.ts",
    "chunks/verify-worker": "src/store/sqlite/verify-worker.ts",
  },
  platform: "node",
  // Loaded only when a rule, a schema or a tool needs them; `yaml` is always needed and has 74 files of its own.
  external: ["ajv", "ajv-formats", "hash-wasm", "re2js", "@marcbachmann/cel-js", "diff", "@vscode/ripgrep", /^ajv\//],
});

await bundle.write({
  dir: "dist",
  format: "esm",
  entryFileNames: "[name].js",
  chunkFileNames: "chunks/[name].js",
  // The thread that verifies is found beside the module that starts it, so that one has to be in `chunks/`.
  codeSplitting: { groups: [{ name: "verify-ledger", test: /store\/sqlite\/verify-ledger/ }] },
});
await bundle.close();
