import { lstatSync, mkdirSync, readdirSync, readFileSync, readlinkSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import type { BatchCall, BatchResult, Gate } from "../../src/wiring/gate.ts";
import { openScratchGate, type ScratchGate } from "../support/scratch-gate.ts";

/** Few names, many ways to write them: what conflicts has to be seen through links, dots and slashes. */
const path = fc.constantFrom(
  ...["a", "./a", "d/../a", "b", "d/x", "d//x", "link/x", "d/e/y", "link/e/y", "d/e/../x", "to-a", "to-new", "new"],
  ...["d", "d/", ".", "a/below", "absent/z", ".gitignore", "d/.gitignore", "d/e", "link", "loop", "../outside"],
);
const content = fc.constantFrom("", "one\n", "one\ntwo\n", "x\n", "d\n");

const call = (tool: string, input: fc.Arbitrary<Record<string, unknown>>) =>
  input.map((given): BatchCall => ({ tool, input: given as never }));

const fileCall: fc.Arbitrary<BatchCall> = fc.oneof(
  call("read_file", fc.record({ path })),
  call("write_file", fc.record({ path, content })),
  call("write_file", fc.record({ path, content, create_only: fc.constant(true) })),
  call("write_file", fc.record({ path, content, append: fc.constant(true) })),
  call("delete_file", fc.record({ path })),
  call("list_directory", fc.record({ path, recursive: fc.boolean() })),
  call(
    "edit_file",
    fc.record({
      path,
      edits: fc.array(fc.record({ type: fc.constant("replace"), oldText: content, newText: content }), {
        minLength: 1,
        maxLength: 2,
      }),
    }),
  ),
  call(
    "apply_patch",
    fc
      .tuple(path, path, content)
      .chain(([from, to, text]) =>
        fc
          .constantFrom(
            `*** Add File: ${from}\n+${text.trimEnd()}\n`,
            `*** Delete File: ${from}\n`,
            `*** Update File: ${from}\n*** Move to: ${to}\n@@\n-one\n+moved\n`,
            `*** Add File: ${from}\n+new\n*** Delete File: ${to}\n`,
          )
          .map((body) => ({ patch: `*** Begin Patch\n${body}*** End Patch\n` })),
      ),
  ),
  call("nonsense", fc.constant({})),
  call("read_file", fc.constant({ pth: 1 })),
);

const batchCall = fc
  .tuple(fileCall, fc.integer({ min: 0, max: 9 }))
  .map(([each, chance]): BatchCall => (chance === 0 ? { ...each, op: "explain" } : each));

/** The law: a batch leaves the same workspace and gives the same results as its calls one by one, in order. */
export async function batchesLikeOneByOne(
  numRuns: number,
): Promise<{ readonly calls: number; readonly completed: number }> {
  await using alone = openScratchGate();
  await using together = openScratchGate();
  const counts = { calls: 0, completed: 0 };
  const one = fc.asyncProperty(
    fc.array(batchCall, { minLength: 2, maxLength: 14 }),
    fc.constantFrom(1, 2, 16),
    async (calls, concurrency) => {
      laidOut(alone);
      laidOut(together);
      const expected = await oneByOne(alone.gate, calls);
      const got = await together.gate.batch(calls, { concurrency });
      counts.calls += calls.length;
      counts.completed += got.filter((result) => "kind" in result && result.kind === "completed").length;
      same(
        got.map((result) => told(result, together)),
        expected.map((result) => told(result, alone)),
        calls,
      );
      same(treeOf(together.workspace), treeOf(alone.workspace), calls);
    },
  );
  await fc.assert(one, { numRuns });
  return counts;
}

function same(got: unknown, expected: unknown, calls: unknown): void {
  const [a, b] = [JSON.stringify(got, null, 1), JSON.stringify(expected, null, 1)];
  if (a !== b) throw new Error(`a batch differs from its calls one by one\n${a}\n${b}\n${JSON.stringify(calls)}`);
}

async function oneByOne(gate: Gate, calls: readonly BatchCall[]): Promise<readonly BatchResult[]> {
  const results: BatchResult[] = [];
  for (const each of calls) results.push(await (each.op === "explain" ? gate.explain(each) : gate.call(each)));
  return results;
}

/** Files, folders, and links of every kind: to a file, to a folder, to nothing yet, to itself. */
function laidOut({ workspace, put }: ScratchGate): void {
  rmSync(workspace, { recursive: true });
  mkdirSync(workspace);
  put("a", "one\ntwo\n");
  put("d/x", "one\n");
  put("d/e/y", "x\n");
  for (const [name, target] of Object.entries({ link: "d", "to-a": "a", "to-new": "d/made", loop: "loop" }))
    symlinkSync(target, join(workspace, name));
}

/** Without what differs between any two calls. */
function told(result: BatchResult, { folder }: ScratchGate): unknown {
  const { callId, durationMs, receipt, digest, ...rest } = result as unknown as Record<string, unknown>;
  return JSON.parse(JSON.stringify(rest).replaceAll(folder, "/folder"));
}

function treeOf(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .sort()
    .map((name) => {
      const stats = lstatSync(join(folder, name));
      if (stats.isSymbolicLink()) return `${name} -> ${readlinkSync(join(folder, name))}`;
      return stats.isDirectory() ? `${name}/` : `${name}: ${readFileSync(join(folder, name), "utf8")}`;
    });
}
