import { defineConfig, mergeConfig } from "vitest/config";
import base from "./vitest.config.ts";

/** Suites that start many processes, sync the disk often or try thousands of cases: `npm test` runs them, a check does not. */
const SLOW = [
  "test/approval/{kill-points,races}.test.ts",
  "test/config/garbage.test.ts",
  "test/docs/**",
  "test/doors/cli/{approvals,batch,batch-corpora,blobs,call,completion,doctor,interruptible,ledger,ledger-adopt,main,mcp,process-terminal,secrets,serve,sessions,terminal-approver,trust}.test.ts",
  "test/doors/{atip/executor,atip/traps,mcp/conformance,rest/own-results,rest/seed-client,rest/races,rest/cut-streams,serve/kill-points}.test.ts",
  "test/examples/**",
  "test/files/{permissions,race,traversal,locate-like-kernel}.test.ts",
  "test/ledger/verify.test.ts",
  "test/pipeline/kill-points.test.ts",
  "test/redact/{leaks,laws}.test.ts",
  "test/shell/{compositions,token-soup}.test.ts",
  "test/shell/slots/slot-{injection,soup}.test.ts",
  "test/sandbox/{bubblewrap,canaries,escapes,daemons,limits,many-runs,seccomp-filter,want}.test.ts",
  "test/store/faults/**",
  "test/store/sqlite/{journal,verify-ledger}.test.ts",
  "test/store/{line-tampering,tampering}.test.ts",
  "test/tools/builtin/patch/patch-like-git.test.ts",
  "test/tools/builtin/{real-work,run-command-real,search-race,search-as-somebody}.test.ts",
  "test/tools/builtin/search/rg-globs.test.ts",
  "test/tools/builtin/{search-files,traversal}.test.ts",
  "test/tools/mcp/{conformance,http-upstream,reference-servers,upstream}.test.ts",
  "test/tools/script/{must-not-happen,repeating,script-sandbox}.test.ts",
  "test/wiring/{doctor,keyed-calls,search}.test.ts",
];

export default mergeConfig(
  base,
  // One process for many suites: loading the same modules anew for each takes longer than the tests. `npm test` gives
  // each suite its own.
  defineConfig({ test: { exclude: ["node_modules/**", ...SLOW], isolate: false } }),
);
