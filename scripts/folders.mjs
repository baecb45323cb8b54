// The one table of which folder of src/ may import which. `check-layout.mjs` enforces it through dependency-cruiser
// and prints it into ARCHITECTURE.md.

const PURE = ["shell", "schema", "rules", "redact", "formats", "atip", "ledger"];
const BELOW_WIRING = ["domain", "ports", ...PURE, "pipeline", "tools", "approval", "sessions"];

/**
 * `imports`: the folders of src/ it may import besides itself.
 * `builtins`: in a pure folder, the only Node modules it may import; elsewhere RESERVED_BUILTINS decides.
 * @typedef {{ purpose: string, imports: string[], builtins?: string[] }} Folder
 */

/** @type {Record<string, Folder>} */
export const FOLDERS = {
  domain: { purpose: "nouns and states of a call", imports: [], builtins: ["crypto", "buffer"] },
  ports: { purpose: "what the pipeline asks of the world", imports: ["domain"] },
  // `module`: the parser of bash, Ajv and RE2 are loaded by `createRequire`, synchronously and only when they are needed.
  shell: { purpose: "reading bash, binding template slots", imports: ["domain"], builtins: ["module"] },
  schema: { purpose: "JSON text, JSON Schema checks, strict coercion", imports: ["domain"], builtins: ["module"] },
  rules: { purpose: "rules, conditions, leases, effects, risk", imports: ["domain", "shell"], builtins: [] },
  redact: { purpose: "secrets out, truncation", imports: ["domain"], builtins: ["buffer"] },
  formats: { purpose: "provider tool-call formats, in and out", imports: ["domain"], builtins: [] },
  atip: {
    purpose: "ATIP metadata: reading it, names, command lines, policy",
    imports: ["domain", "schema", "rules"],
    builtins: [],
  },
  ledger: { purpose: "entries, chain, tree, proofs, verify", imports: ["domain"], builtins: ["crypto", "buffer"] },
  pipeline: { purpose: "one file per stage; `run.ts` holds the order", imports: ["domain", "ports", ...PURE] },
  tools: { purpose: "where tools come from, one folder per source", imports: ["domain", "ports", ...PURE] },
  approval: { purpose: "the desk: questions, auto-approvals, governors", imports: ["domain", "ports", ...PURE] },
  sessions: {
    purpose: "tokens, the leases that hold now, budgets and keys of calls",
    imports: ["domain", "ports", ...PURE],
  },
  sandbox: { purpose: "the only folder that starts a process", imports: ["domain", "ports"] },
  net: {
    purpose: "egress check, proxy, guarded fetch: the only folder that opens outgoing sockets",
    imports: ["domain", "ports"],
  },
  files: {
    purpose: "anchored open, atomic write: the only folder that touches workspace files",
    imports: ["domain", "ports"],
  },
  store: { purpose: "the journal: sqlite, postgres, blobs", imports: ["domain", "ports", "ledger"] },
  events: { purpose: "feed, cursors, webhooks", imports: ["domain", "ports"] },
  config: {
    purpose: "the only reader of settings files and of the environment",
    imports: ["domain", "shell", "schema", "rules", "redact", "atip"],
  },
  wiring: {
    purpose: "builds a Gate from a config, clock and randomness; no logic",
    imports: [...BELOW_WIRING, "sandbox", "net", "files", "store", "events", "config"],
  },
  client: { purpose: "what other programs use to talk to the server; no part of the gate", imports: [], builtins: [] },
  doors: {
    purpose:
      "ways in; never import each other: `wire/` holds what they share, `serve/` puts those on the network on one server",
    imports: ["wiring", "domain", "schema", "formats", "atip", "client"],
  },
};

/** What `console/`, the web console, may import of src/: nothing that needs Node. */
export const CONSOLE_IMPORTS = ["client", "domain", "ledger"];

/** What `src/index.ts`, the library door, may import. */
export const INDEX_IMPORTS = ["wiring", "domain", "tools"];

/**
 * Node modules that only some folders may import, but for single files.
 * @type {{ modules: string[], folders: string[], but?: string[], because: string }[]}
 */
export const RESERVED_BUILTINS = [
  { modules: ["child_process", "cluster"], folders: ["sandbox"], because: "only sandbox/ starts processes" },
  {
    modules: ["fs"],
    folders: ["files", "store", "config", "sandbox"],
    because: "only files/, store/, config/ and sandbox/ touch the disk",
  },
  { modules: ["sqlite"], folders: ["store"], because: "only store/ holds the journal" },
  {
    modules: ["net", "tls", "dgram", "dns"],
    folders: ["net"],
    but: ["sandbox/pipes.ts"], // Node has its streams for pipes there too
    because: "only net/ opens sockets",
  },
  {
    modules: ["http", "https", "http2"],
    folders: ["net", "doors"],
    because: "only net/ sends requests, only doors/ serve them",
  },
];

/** The table as it is printed into ARCHITECTURE.md. */
export function foldersAsMarkdown() {
  const rows = Object.entries(FOLDERS).map(
    ([name, { purpose, imports, builtins }]) =>
      `| \`${name}/\` | ${purpose} | ${builtins ? "pure: " : ""}${imports.join(", ") || "nothing"} |`,
  );
  const index = `| \`index.ts\` | the library door | ${INDEX_IMPORTS.join(", ")} |`;
  const web = `| \`../console/\` | the web console, talks to \`doors/rest\` only; sent by \`doors/console\` | pure: ${CONSOLE_IMPORTS.join(", ")} |`;
  return ["| in `src/` | what it is for | may import |", "|---|---|---|", ...rows, index, web].join("\n");
}
