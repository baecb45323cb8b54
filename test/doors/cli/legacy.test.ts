import { describe, expect, it } from "vitest";
import { openCli } from "../../support/run-cli.ts";

const CONFIG = `rules:
  - { id: read, effect: allow, touch: { read: ["./**"] } }
  - { id: write, effect: ask, touch: { write: ["./**"] } }
`;

const use = (toolName: string, input: object): string =>
  `${JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/use", params: { toolName, input } })}\n`;

describe("toolgate legacy", () => {
  it("answers what was piped in", async () => {
    using cli = openCli(CONFIG);
    cli.put("a.txt", "hello");
    const { code, out } = await cli.run(["legacy"], { stdin: use("read_file", { path: "a.txt" }) });
    expect({ code, state: cli.lastState() }).toEqual({ code: 0, state: "completed" });
    expect(JSON.parse(out)).toMatchObject({ id: 1, result: { content: [{ text: "hello" }], isError: false } });
  });

  it("waits for nobody's answer once its client has gone", async () => {
    using cli = openCli(CONFIG);
    const { code, out } = await cli.run(["legacy"], { stdin: use("write_file", { path: "b.txt", content: "x" }) });
    expect({ code, state: cli.lastState(), written: cli.has("b.txt") }).toEqual({
      code: 0,
      state: "cancelled",
      written: false,
    });
    expect(out).toContain("CANCELLED");
  });
});
