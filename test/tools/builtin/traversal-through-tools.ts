import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import type { Tool } from "../../../src/domain/call.ts";
import { isFileTouch } from "../../../src/domain/touch.ts";
import { fileTools } from "../../../src/tools/builtin/file-tools.ts";
import { systemClock } from "../../../src/wiring/system-clock.ts";
import { openScratch, type Scratch, SENTINEL } from "../../files/scratch.ts";
import { realSandbox } from "../../sandbox/real-sandbox.ts";
import { redactorFor } from "../../support/redaction.ts";
import { approvedCall, NEVER, resultOf } from "../../support/sample-calls.ts";

export interface Payload {
  readonly payload: string;
}

const AT_ONCE = 20;

/** Every tool's arguments for one path. */
const INPUTS: Record<string, (path: string) => object> = {
  read_file: (path) => ({ path }),
  write_file: (path) => ({ path, content: "written" }),
  edit_file: (path) => ({ path, edits: [{ type: "replace", oldText: SENTINEL, newText: "x" }] }),
  apply_patch: (path) => ({
    patch: `*** Begin Patch\n*** Add File: ${path}\n+x\n*** Delete File: ${path}x\n*** End Patch`,
  }),
  list_directory: (path) => ({ path, recursive: true, limit: 5 }),
  search_files: (path) => ({ path, query: SENTINEL }),
  delete_file: (path) => ({ path }),
};

/** The rule that stands in for the judge: only what lies below the workspace may be touched. */
const isInside = (scratch: Scratch, tool: Tool, touches: readonly unknown[]): boolean =>
  touches.every((touch) => {
    const { path } = touch as { path: string };
    return isFileTouch(touch as never) && (path === scratch.workspace || path.startsWith(`${scratch.workspace}/`));
  }) && ["process", "sandbox"].includes(tool.definition.containment);

/** A15 through the tools: nothing outside of the workspace is read, changed, listed or deleted. */
export async function attackThroughTools(payloads: readonly Payload[]): Promise<{ judged: number; reached: number }> {
  using scratch = openScratch();
  const secret = join(scratch.outside, "secret.txt");
  const count = { judged: 0, reached: 0 };
  const attack = async (tool: Tool, payload: string) => {
    scratch.put("a/b/c/d.txt", "inside");
    const input = INPUTS[tool.definition.name]?.(payload) ?? {};
    if (tool.check(input as never).length > 0) return;
    const call = { ...approvedCall(), tool, input: input as never };
    const draft = await tool.plan(call, NEVER);
    if (draft.kind === "refuse") return;
    count.judged += 1;
    const { touches } = draft.plan;
    if (touches.some((touch) => "path" in touch && touch.path === secret)) count.reached += 1;
    if (!isInside(scratch, tool, touches)) return;
    const run = tool.run({ ...call, plan: { ...call.plan, ...draft.plan } }, NEVER);
    expect(JSON.stringify(await resultOf(run))).not.toContain(SENTINEL);
  };
  const ports = {
    files: scratch.files,
    sandbox: realSandbox(scratch.workspace),
    clock: systemClock,
    redactor: redactorFor(),
  };
  for (const tool of fileTools(ports)) {
    for (let i = 0; i < payloads.length; i += AT_ONCE) {
      const some = payloads.slice(i, i + AT_ONCE);
      await Promise.all(some.map(({ payload }) => attack(tool, payload.replaceAll("{FILE}", secret.slice(1)))));
    }
  }
  expect(readFileSync(secret, "utf8")).toBe(SENTINEL);
  expect(readdirSync(scratch.outside)).toEqual(["secret.txt"]);
  return count;
}
