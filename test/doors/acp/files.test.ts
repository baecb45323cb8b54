import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { RuleSource } from "../../../src/rules/rule.ts";
import { choose, openAcpEditor } from "../../support/acp-pair.ts";
import { needs } from "../../support/parts.ts";
import { ALLOW_ALL } from "../../support/scratch-gate.ts";

const DENY: RuleSource = { id: "never", effect: "deny", touch: { read: ["./secret/**"], write: ["./secret/**"] } };
const RULES = [...ALLOW_ALL, DENY];
const read = (path: string, more: object = {}) => ({ ask: ["fs/read_text_file", { path, ...more }] });
const write = (path: string, content: string) => ({ ask: ["fs/write_text_file", { path, content }] });
const codes = (came: readonly unknown[]) =>
  came.map((one) => (one as { error?: { code: number; data?: { code?: string } } }).error?.data?.code ?? "done");

needs("bwrap")("files that an agent asks its editor for", () => {
  it("are read and written by the gate's own tools where the editor has none", async () => {
    await using editor = await openAcpEditor({ rules: RULES });
    const path = editor.scratch.put("a.txt", "one\ntwo\nthree\n");
    const created = join(editor.scratch.workspace, "new/b.txt");
    const came = await editor.prompt(
      read(path),
      read(path, { line: 2, limit: 1 }),
      read(path, { limit: 2 }),
      read(path, { limit: 0 }),
      write(created, "made"),
    );
    const contents = came.slice(0, 4).map((one) => (one as { value: { content: string } }).value.content);
    expect(contents).toEqual(["one\ntwo\nthree\n", "two\n", "one\ntwo\n", ""]);
    expect(came[4]).toEqual({ value: {} });
    expect(editor.scratch.text("new/b.txt")).toBe("made");
    expect(editor.scratch.rows().map(({ tool }) => tool)).toEqual(
      [..."rrr"].map(() => "read_file").concat("write_file"),
    );
  });

  it("are the editor's where it has them, judged and recorded before it is asked, and cut behind the redaction", async () => {
    const config = { secrets: [{ env: "KEY" }] };
    await using editor = await openAcpEditor({
      rules: RULES,
      fs: true,
      config,
      variables: { KEY: "correct-horse-battery" },
    });
    const path = join(editor.scratch.workspace, "a.txt");
    editor.buffers.set(path, "not saved\nkey correct-horse-battery\nend");
    const came = await editor.prompt(
      read(path),
      read(path, { line: 2, limit: 1 }),
      write(path, "changed"),
      write(path, "[REDACTED:KEY]"),
    );
    expect(came.slice(0, 3)).toEqual([
      { value: { content: "not saved\nkey [REDACTED:KEY]\nend" } },
      { value: { content: "key [REDACTED:KEY]\n" } },
      { value: {} },
    ]);
    expect(codes(came.slice(3))).toEqual(["REDACTED_CONTENT"]);
    expect(editor.buffers.get(path)).toBe("changed");
    expect(existsSync(path)).toBe(false);
    expect(editor.scratch.rows().map(({ tool, state }) => `${tool} ${state}`)).toEqual([
      "editor_read_file completed",
      "editor_read_file completed",
      "editor_write_file completed",
      "editor_write_file refused",
    ]);
  });

  it.each([true, false])("are refused by rules, by their real path, with an editor's files: %s", async (fs) => {
    await using editor = await openAcpEditor({ rules: RULES, fs });
    const secret = editor.scratch.put("secret/a.txt", "hidden words");
    const { workspace } = editor.scratch;
    const came = await editor.prompt(
      read(secret),
      read(`${workspace}/b/../secret/a.txt`),
      write(secret, "x"),
      read("/etc/passwd"),
      read("secret/a.txt"),
    );
    expect(codes(came)).toEqual(["RULE_DENY", "RULE_DENY", "RULE_DENY", "DEFAULT_DENY", "done"]);
    expect(came[4]).toMatchObject({ error: { code: -32_602 } });
    expect(JSON.stringify(came)).not.toContain("hidden words");
    expect(editor.scratch.text("secret/a.txt")).toBe("hidden words");
    expect(editor.sent.some((line) => line.includes('"fs/'))).toBe(false);
  });

  it("are asked about in the editor where a rule asks", async () => {
    const rules = [{ id: "ask", effect: "ask" as const, touch: { write: ["./**"] } }];
    await using editor = await openAcpEditor({ rules, answers: choose("reject") });
    const path = join(editor.scratch.workspace, "a.txt");
    expect(codes(await editor.prompt(write(path, "x")))).toEqual(["APPROVAL_REJECTED"]);
    expect(editor.asked[0]?.toolCall).toMatchObject({ title: "write_file", status: "pending" });
    expect(existsSync(path)).toBe(false);
  });

  it("tell of a file that is not there by ACP's own code, and of a long one all or nothing", async () => {
    await using editor = await openAcpEditor({ rules: RULES });
    const long = "line of a long file\n".repeat(100_000);
    const path = editor.scratch.put("long.txt", long);
    const picture = editor.scratch.put("a.bin", new Uint8Array([0, 255, 254]));
    const came = await editor.prompt(read(join(editor.scratch.workspace, "none.txt")), read(path), read(picture));
    expect(came[0]).toMatchObject({ error: { code: -32_002 } });
    expect((came[1] as { value: { content: string } }).value.content === long).toBe(true);
    expect(came[2]).toMatchObject({ error: { code: -32_602, message: "the file is no text" } });
  });

  it("are not offered, and refused, where the gate has no such tools", async () => {
    await using editor = await openAcpEditor({ rules: RULES, config: { tools: { builtin: [] } } });
    expect(editor.started.initialized).toMatchObject({
      agentCapabilities: {
        _meta: {
          heard: { clientCapabilities: { fs: { readTextFile: false, writeTextFile: false }, terminal: false } },
        },
      },
    });
    const came = await editor.prompt(read("/a"), write("/a", ""), { ask: ["terminal/create", { command: "ls" }] });
    expect(came.map((one) => (one as { error: { code: number } }).error.code)).toEqual([-32_601, -32_601, -32_601]);
    expect(editor.scratch.rows()).toEqual([]);
  });
});
