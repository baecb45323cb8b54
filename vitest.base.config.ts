import { availableParallelism } from "node:os";
import { join } from "node:path";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

export const ALL = ["test/**/*.test.ts"];

/**
 * Suites that start many processes, sync the disk often or try thousands of cases: `npm test` runs them first; a check
 * does without them.
 */
export const SLOW = [
  "test/approval/{kill-points,races}.test.ts",
  "test/config/garbage.test.ts",
  "test/console/{always,hostile,pages,questions,reconnect,token}.test.ts",
  "test/docs/**/*.test.ts",
  "test/doors/cli/{approvals,batch,batch-corpora,blobs,call,completion,doctor,interruptible,ledger,ledger-adopt,main,mcp,own-program,process-terminal,secrets,serve,sessions,terminal-approver,trust}.test.ts",
  "test/doors/{atip/executor,atip/traps,mcp/conformance,rest/own-results,rest/seed-client,rest/races,rest/cut-streams,serve/kill-points}.test.ts",
  "test/examples/**/*.test.ts",
  "test/files/{permissions,race,traversal,locate-like-kernel}.test.ts",
  "test/ledger/verify.test.ts",
  "test/pipeline/kill-points.test.ts",
  "test/redact/{leaks,laws}.test.ts",
  "test/shell/{compositions,token-soup}.test.ts",
  "test/shell/slots/slot-{injection,soup}.test.ts",
  "test/sandbox/{bubblewrap,canaries,escapes,daemons,limits,many-runs,seccomp-filter,want}.test.ts",
  "test/store/faults/**/*.test.ts",
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

/**
 * Suites that take more than a second: together two thirds of the time of all that are not slow. A check does without
 * them, too, so that it takes a minute.
 */
export const COSTLY = [
  "test/approval/desk.test.ts",
  "test/client/connect.test.ts",
  "test/config/{config-problems,trust}.test.ts",
  "test/console/outcome.test.ts",
  "test/doors/contract/*.test.ts",
  "test/doors/granted-question.test.ts",
  "test/doors/cli/{compiled-code,executor,explain,init,legacy,refused-to-agent,tools,tools-add,with-gate}.test.ts",
  "test/doors/mcp/{approval,http,offers,old-codes,call-tool,client-lines,roots,serve-stdio,strict-http}.test.ts",
  "test/doors/rest/{always,approvals,bounds,client-results,events,execute,executors,faults,guards,heard-output,more-routes,sessions,start-with-yes,who-may-answer}.test.ts",
  "test/doors/rpc/{answer-request,rpc-door}.test.ts",
  "test/doors/serve/{client-kill-points,want}.test.ts",
  "test/files/{change,list,read}.test.ts",
  "test/formats/{every-format,mistral/sdk,schema/strict-schema}.test.ts",
  "test/ledger/proof.test.ts",
  "test/net/{egress-proxy,guarded-fetch,relay-program,ssrf-corpus}.test.ts",
  "test/pipeline/{fit-result,laws,run-again}.test.ts",
  "test/redact/{any-bytes,search-ahead}.test.ts",
  "test/rules/laws.test.ts",
  "test/sandbox/unstartable.test.ts",
  "test/schema/against-ajv.test.ts",
  "test/shell/{corpora,plain-line,slots/safe-forms,slots/slot-flow,slots/slot-programs,slots/slot-rule,slots/template-scope}.test.ts",
  "test/store/{blobs/blob-files,outcomes/outcome-rows}.test.ts",
  "test/store/sqlite/{checkpoint-file,checkpointer,log-sync,open-database,open-for-reading,question-board,recovery,signing-key,verify-calls,verify-range}.test.ts",
  "test/support/built-program.test.ts",
  "test/tools/atip/{atip-command,gh,hostile-values}.test.ts",
  "test/tools/builtin/{edit-file,git/git,ignore-file,list-directory,run-command,write-file}.test.ts",
  "test/tools/function/define-tool.test.ts",
  "test/tools/governor/{in-turn,script-governor}.test.ts",
  "test/tools/mcp/{list-filter,missing-secret,pinning,sent-once}.test.ts",
  "test/tools/sandboxed/{absent-folders,covers-together,granted-places,layout}.test.ts",
  "test/tools/script/{option-values,script-template,script-tool}.test.ts",
  "test/wiring/{always,approvals,automatic-answers,batch,blob-collector,budgets,cancel-anywhere,live-tools,model-turns,new-folders,program-network,running,secrets,sessions,web}.test.ts",
];

/** Of the slow ones, which come before all others. */
const LONGEST = ["docs/guide", "pipeline/kill-points", "mcp/conformance", "sqlite/journal.test", "ledger/verify"];

/** So that what is left at the end is short, and all cores have work to the last. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId, project }: TestSpecification) =>
      LONGEST.some((name) => moduleId.includes(name)) ? 0 : project.name === "slow" ? 1 : 2;
    return (await super.sort(files)).toSorted((a, b) => rank(a) - rank(b));
  }
}

/**
 * Programs that tests start keep what they compile beside the dependencies, and the next one starts in a third of the
 * time. It is no part of what is tested: a program under a limit, or of another user, does without it.
 */
export const ENVIRONMENT = { NODE_COMPILE_CACHE: join(import.meta.dirname, "node_modules", ".cache", "compiled") };

/** Each test file has a temporary folder of its own, and fails if it leaves anything there. */
export const TEMPORARY = {
  globalSetup: join(import.meta.dirname, "test/support/temporary-run.ts"),
  setupFiles: [join(import.meta.dirname, "test/support/temporary-file.ts")],
};

const EVERY_BRANCH = { branches: 100 };

/** What `npm test` and `npm run check` have in common. */
export default defineConfig({
  test: {
    pool: "forks",
    // One more than there are cores: a third of their time, suites wait for a disk, a program or a browser.
    maxWorkers: availableParallelism() + 1,
    env: ENVIRONMENT,
    ...TEMPORARY,
    sequence: { sequencer: LongestFirst },
    // For what hangs, and not for what is slow: a busy machine takes ten times as long.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 120_000 } },
    coverage: {
      provider: "v8",
      include: ["src/**/*.ts"],
      reporter: ["lcovonly", "json-summary"],
      thresholds: {
        lines: 80,
        // What decides whether a call may run: each way through it is tried.
        "src/rules/**": EVERY_BRANCH,
        "src/schema/**": EVERY_BRANCH,
        "src/pipeline/judge.ts": EVERY_BRANCH,
      },
    },
  },
});
