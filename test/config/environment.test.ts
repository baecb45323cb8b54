import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readEnvironment } from "../../src/config/environment.ts";

it.each<[string, Record<string, string>, ReturnType<typeof readEnvironment>]>([
  [
    "all set",
    { HOME: "/h", XDG_STATE_HOME: "/s", NO_COLOR: "1", CI: "true", TERM: "xterm", PATH: "/a:b::/c d:./e" },
    {
      home: "/h",
      xdgState: "/s",
      searchPath: ["/a", "/c d"],
      noColor: true,
      ci: true,
      token: null,
      term: "xterm",
      program: "toolgate",
    },
  ],
  [
    "empty is unset",
    { HOME: "/h", XDG_STATE_HOME: "", NO_COLOR: "", CI: "" },
    {
      home: "/h",
      xdgState: "/h/.local/state",
      searchPath: [],
      noColor: false,
      ci: false,
      token: null,
      term: null,
      program: "toolgate",
    },
  ],
  [
    "relative is ignored",
    { HOME: "/h", XDG_STATE_HOME: "s", CI: "false" },
    {
      home: "/h",
      xdgState: "/h/.local/state",
      searchPath: [],
      noColor: false,
      ci: false,
      token: null,
      term: null,
      program: "toolgate",
    },
  ],
])("%s", (_, raw, environment) => expect(readEnvironment(raw)).toEqual(environment));

it("asks the operating system where HOME is missing", () => expect(readEnvironment({}).home).toBe(homedir()));

it("is frozen, and by default that of the process", () => {
  const environment = readEnvironment();
  expect(Object.isFrozen(environment)).toBe(true);
  expect(environment.term).toBe(process.env["TERM"] ?? null);
});

describe("how a person starts the program", () => {
  it.each([
    [
      "by npx, which put its own folder on the path",
      { npm_lifecycle_event: "npx", PATH: "/w/node_modules/.bin" },
      "npx toolgate",
    ],
    ["by a script of npm", { npm_lifecycle_event: "test", PATH: "/w/node_modules/.bin" }, "toolgate"],
    ["by its name", { PATH: "/usr/bin" }, "toolgate"],
  ])("%s", (_, raw, program) => {
    expect(readEnvironment(raw).program).toBe(program);
  });

  it("by npx although its name would do", () => {
    const folder = mkdtempSync(join(tmpdir(), "toolgate-path-"));
    try {
      writeFileSync(join(folder, "toolgate"), "");
      const raw = { npm_lifecycle_event: "npx", PATH: `/w/node_modules/.bin:${folder}` };
      expect(readEnvironment(raw).program).toBe("toolgate");
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
