import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, it, vi } from "vitest";
import { ToolRegistry, type ToolUsed, ToolUseError } from "../../src/wiring/tool-registry.ts";
import { openScratchGate } from "../support/scratch-gate.ts";

const RULES = [
  { id: "read", effect: "allow" as const, touch: { read: ["./**"] } },
  { id: "write", effect: "ask" as const, otherwise: true, touch: { write: ["./**"] } },
  { id: "own", effect: "allow" as const, touch: { unknown: true as const }, tools: ["shout"] },
];

const SHOUT = {
  name: "shout",
  description: "says it loudly",
  inputSchema: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
  execute: ({ text }: { text: string }) => text.toUpperCase(),
} as const;

it("a registry calls registered and built-in tools through the gate, and tells of each use", async () => {
  await using scratch = openScratchGate({ rules: RULES });
  scratch.put("a.txt", "hello");
  const used: ToolUsed[] = [];
  const registry = new ToolRegistry({
    config: join(scratch.folder, "toolgate.yaml"),
    onToolUsed: (event) => used.push(event),
  });
  registry.register<{ text: string }>(SHOUT);
  expect(() => registry.register<{ text: string }>(SHOUT)).toThrow("two tools");
  expect(await registry.execute("shout", { text: "hello" })).toBe("HELLO");
  expect(await registry.execute("read_file", { path: "a.txt" })).toBe("hello");
  await expect(registry.execute("read_file", { path: "/etc/passwd" })).rejects.toThrow(ToolUseError);
  await expect(registry.execute("nothing", {})).rejects.toThrow("TOOL_UNKNOWN");
  expect(used.map(({ tool, success }) => [tool, success])).toEqual([
    ["shout", true],
    ["read_file", true],
    ["read_file", false],
    ["nothing", false],
  ]);
  const names = (await registry.getDefinitions()).map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(["shout", "read_file"]));
  expect(() => registry.register({ ...SHOUT, name: "late" } as never)).toThrow("before the first use");
  await registry.close();
  expect(scratch.rows().map(({ tool }) => tool)).toEqual(["shout", "read_file", "read_file", "nothing"]);
});

it("deny once is not for ever, once is not always, and always is this very thing", async () => {
  await using scratch = openScratchGate({ rules: RULES });
  const chosen: ("always" | "once" | "deny" | "never")[] = ["deny", "once", "always", "never"];
  let asked = 0;
  const registry = new ToolRegistry({
    config: join(scratch.folder, "toolgate.yaml"),
    onPermission: async () => chosen[asked++] ?? "deny",
  });
  const write = (path: string) => registry.execute("write_file", { path, content: "x" });
  await expect(write("a.txt")).rejects.toThrow("APPROVAL_REJECTED");
  await write("a.txt"); // asked again
  await write("a.txt"); // and again, and now for ever
  expect(asked).toBe(3);
  await write("a.txt");
  expect(asked).toBe(3);
  await expect(write("b.txt")).rejects.toThrow("APPROVAL_REJECTED"); // another file is another thing
  await expect(write("b.txt")).rejects.toThrow("RULE_DENY");
  expect(asked).toBe(4);
  await registry.close();
});

it("an always that comes after somebody else's no saves nothing", async () => {
  await using scratch = openScratchGate({ rules: RULES });
  const chosen: PromiseWithResolvers<"always" | "deny">[] = [];
  const registry = new ToolRegistry({
    config: join(scratch.folder, "toolgate.yaml"),
    onPermission: () => {
      chosen.push(Promise.withResolvers());
      return chosen.at(-1)?.promise ?? Promise.resolve("deny");
    },
  });
  const write = () => registry.execute("write_file", { path: "a.txt", content: "x" });
  const refused = expect(write()).rejects.toThrow("APPROVAL_REJECTED");
  await expect.poll(() => chosen.length).toBe(1);
  const [open] = await scratch.gate.approvals.list();
  await scratch.gate.approvals.answer(open?.approvalId ?? "", { kind: "reject", who: "somebody else" });
  await refused;
  chosen[0]?.resolve("always");
  const again = expect(write()).rejects.toThrow("APPROVAL_REJECTED");
  await expect.poll(() => chosen.length).toBe(2);
  chosen[1]?.resolve("deny");
  await again;
  await registry.close();
  expect(readdirSync(scratch.folder, { recursive: true }).filter((name) => String(name).includes("always"))).toEqual(
    [],
  );
});

it("without options it takes the configuration that lies here, if a person has accepted it", async () => {
  await using scratch = openScratchGate({ rules: RULES });
  scratch.put("a.txt", "hello");
  const registry = new ToolRegistry();
  registry.register<{ text: string }>(SHOUT);
  const here = vi.spyOn(process, "cwd").mockReturnValue(scratch.folder);
  await expect(registry.getDefinitions()).rejects.toThrow("was not accepted yet");
  here.mockRestore();
});
