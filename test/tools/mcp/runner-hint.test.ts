import { expect, it } from "vitest";
import { runnerHint } from "../../../src/tools/mcp/runner-hint.ts";

const spec = (command: string, connect: readonly string[] = []) => ({
  name: "files",
  way: { kind: "stdio", command, args: ["-y", "some-server"], cwd: "/", env: {} } as const,
  grant: { read: [], write: [], connect },
});

it.each(["npx", "/usr/bin/npx", "uvx"])("%s that can't fetch anything is told what to do about it", (command) => {
  expect(runnerHint(spec(command)).hint).toContain("tools.mcp.files.grant");
});

it.each([
  ["a program that fetches nothing", spec("node")],
  ["one that may connect", spec("npx", ["packages.example:443"])],
  ["a server over HTTP", { ...spec("npx"), way: { kind: "http", url: "https://a.example/mcp", headers: {} } as const }],
])("%s has other reasons", (_, given) => {
  expect(runnerHint(given)).toEqual({});
});
