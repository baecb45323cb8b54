import { describe, expect, it } from "vitest";
import { touchesFromWords } from "../../src/rules/touches-from-words.ts";

const named = (words: string, workspace = "/ws"): readonly string[] => {
  const touches = touchesFromWords(words, workspace);
  if ("error" in touches) return [touches.error];
  return touches.map((touch) => {
    if (touch.kind === "exec")
      return `${touch.origin} ${touch.program} ${touch.argv.map(({ text }) => text).join(" ")}`;
    return "path" in touch ? `${touch.kind} ${touch.path}` : touch.kind;
  });
};

describe("touches in words", () => {
  it.each<[words: string, expected: readonly string[]]>([
    ["read ./a", ["read /ws/a"]],
    ["npm test", ["toolchain null npm test"]],
    ["exec read x", ["shell null read x"]],
    ["unknown", ["unknown"]],
    ["unknown x", ["toolchain null unknown x"]],
    [
      "./run && /usr/bin/ls && /opt/x",
      ["elsewhere /ws/run ./run", "toolchain /usr/bin/ls /usr/bin/ls", "elsewhere /opt/x /opt/x"],
    ],
    ["f() { ls; }; f", ["toolchain null ls"]],
    ["ls > a/../b", ["toolchain null ls", "write /ws/b"]],
    ["cd sub && ls > x", ["shell null cd sub", "toolchain null ls", "write /ws/sub/x"]],
    ["cd /tmp && ls > x", ["shell null cd /tmp", "toolchain null ls", "write /tmp/x"]],
    ["cat a /ws ./b/../c /etc/hosts", ["toolchain null cat a /ws ./b/../c /etc/hosts", "read /etc/hosts"]],
    ["cat < x", ["toolchain null cat", "read /ws/x"]],
    ["x=1", ["shell null :"]],
    ["cat </dev/tcp/h/1", ["toolchain null cat", "connect"]],
    ["model anthropic/claude-x", ["model"]],
    ["model org/a/b", ["model"]],
    ["model claude-x", ["`claude-x` is not a provider and a model"]],
    ["model a/b c", ["`a/b c` is not a provider and a model"]],
    ["exec model x", ["toolchain null model x"]],
    ["exec", ["no command is named"]],
    ["exec  ", ["no command is named"]],
  ])("%s", (words, expected) => expect(named(words)).toEqual(expected));

  it("are in the root folder what they are elsewhere", () =>
    expect(named("cat < x; cat /etc/hosts; read ./a", "/")).toEqual([
      "toolchain null cat",
      "toolchain null cat /etc/hosts",
      "shell null read ./a",
      "read /x",
    ]));
});
