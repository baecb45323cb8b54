// Builds what is published: the library, the command line and the thread that verifies a ledger, with the chunks they share.
// A bundle, because finding and loading five hundred modules one by one takes most of a short command's time.
import { rolldown } from "rolldown";

const dist = process.argv[2] ?? "dist";

const bundle = await rolldown({
  input: {
    index: "src/index.ts",
    "doors/atip/index": "src/doors/atip/index.ts",
    "doors/rpc/index": "src/doors/rpc/index.ts",
    "client/index": "src/client/index.ts",
    "cli/main": "src/doors/cli/main.ts",
    // Started by the path beside the chunk that starts it.
    "chunks/verify-worker": "src/store/sqlite/verify-worker.ts",
  },
  platform: "node",
  // Packages that few commands need stay outside and are loaded when they are used.
  external: [
    ...["ajv", /^ajv\//, "ajv-formats", "hash-wasm", "re2js", "@marcbachmann/cel-js", "diff"],
    ...["@vscode/ripgrep", "unbash"],
  ],
});
await bundle.write({
  dir: dist,
  format: "esm",
  chunkFileNames: "chunks/[name].js",
  // Smaller files to read at each start; the names stay for stack traces.
  minify: { compress: false, mangle: false, codegen: { removeWhitespace: true } },
});
await bundle.close();
