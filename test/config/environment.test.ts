import { homedir } from "node:os";
import { expect, it } from "vitest";
import { readEnvironment } from "../../src/config/environment.ts";

it.each<[string, Record<string, string>, ReturnType<typeof readEnvironment>]>([
  [
    "all set",
    { HOME: "/h", XDG_STATE_HOME: "/s", NO_COLOR: "1", CI: "true", TERM: "xterm", PATH: "/a:b::/c d:./e" },
    { home: "/h", xdgState: "/s", searchPath: ["/a", "/c d"], noColor: true, ci: true, token: null, term: "xterm" },
  ],
  [
    "empty is unset",
    { HOME: "/h", XDG_STATE_HOME: "", NO_COLOR: "", CI: "" },
    { home: "/h", xdgState: "/h/.local/state", searchPath: [], noColor: false, ci: false, token: null, term: null },
  ],
  [
    "relative is ignored",
    { HOME: "/h", XDG_STATE_HOME: "s", CI: "false" },
    { home: "/h", xdgState: "/h/.local/state", searchPath: [], noColor: false, ci: false, token: null, term: null },
  ],
])("%s", (_, raw, environment) => expect(readEnvironment(raw)).toEqual(environment));

it("asks the operating system where HOME is missing", () => expect(readEnvironment({}).home).toBe(homedir()));

it("is frozen, and by default that of the process", () => {
  const environment = readEnvironment();
  expect(Object.isFrozen(environment)).toBe(true);
  expect(environment.term).toBe(process.env["TERM"] ?? null);
});
