import { defineConfig, mergeConfig } from "vitest/config";
import base from "./vitest.config.ts";

/** Suites that start many processes, sync the disk often or try thousands of cases: `npm test` runs them, a check does not. */
const SLOW = [
  "test/approval/{kill-points,races}.test.ts",
  "test/config/garbage.test.ts",
  "test/docs/**",
  "test/doors/cli/{approvals,batch,batch-corpora,call,completion,interruptible,ledger,main,process-terminal,terminal-approver,trust}.test.ts",
  "test/files/{permissions,race,traversal,locate-like-kernel}.test.ts",
  "test/ledger/verify.test.ts",
  "test/pipeline/kill-points.test.ts",
  "test/redact/{leaks,laws}.test.ts",
  "test/shell/{compositions,token-soup}.test.ts",
  "test/sandbox/{escapes,daemons}.test.ts",
  "test/store/faults/**",
  "test/store/sqlite/verify-ledger.test.ts",
  "test/store/tampering.test.ts",
  "test/tools/builtin/patch/patch-like-git.test.ts",
  "test/tools/builtin/{real-work,run-command-real,search-race,search-as-somebody}.test.ts",
  "test/tools/builtin/search/rg-globs.test.ts",
  "test/wiring/search.test.ts",
];

export default mergeConfig(base, defineConfig({ test: { exclude: ["node_modules/**", ...SLOW] } }));
