import { describe, expect, it } from "vitest";
import { ASKED_WHERE_TOLD, DENIED_WHERE_TOLD, FED, TOLD } from "./inline-commands.ts";
import { allowing, decisionOn, rulesFrom, touchesIn } from "./judged.ts";

const isUnknown = (line: string): boolean => touchesIn(line).some(({ kind }) => kind === "unknown");

const commandsIn = (line: string) => touchesIn(line).filter(({ kind }) => kind === "exec");

/** Everything is asked about, and one program is denied. */
const denied = rulesFrom(
  { id: "all", effect: "ask", dynamic: true, touch: { exec: ["**"] } },
  { id: "not-rm", effect: "deny", touch: { exec: ["rm **"] } },
);

describe("a program that is told to start another one", () => {
  it.each(TOLD)("%s: %j is not allowed by its name, and %j is", (program, told, harmless) => {
    const names = new Set([program, ...[told, harmless].map((line) => line.split(" ", 1)[0] ?? "")]);
    const rules = allowing([...names], { dynamic: true });
    expect([told, harmless].map((line) => decisionOn(rules, line))).toEqual([
      expect.not.stringMatching("allow"),
      "allow",
    ]);
  });

  it.each([...TOLD.map(([, told]) => told).filter((line) => /\brm /.test(line)), ...DENIED_WHERE_TOLD])(
    "is denied where that one is: %j",
    // Not for what can't be read: that is denied anyway.
    (line) => expect(decisionOn(denied, line, commandsIn(line))).toBe("deny"),
  );

  it.each(ASKED_WHERE_TOLD)("is asked about where it is another one: %j", (line) =>
    expect(decisionOn(denied, line)).toBe("ask"),
  );

  it("may start anything where it is told more than is looked at", () => {
    expect(decisionOn(denied, `psql -c '\\d ${"a ".repeat(4100)}'`)).toBe("deny");
    expect(decisionOn(denied, `psql -c '\\d ${"a ".repeat(1000)}'`)).toBe("ask");
  });
});

describe("a long text", () => {
  // With an expression that goes over the same lines again and again each of these took many seconds.
  it.each(["mysql -e", "hive -e", "sqlplus", "smbclient -c", "litecli -e"])("for %s is read in one go", (program) => {
    expect(touchesIn(`${program} '${"\n".repeat(60_000)}x'`).length).toBeGreaterThan(0);
  });

  it("for psql and for consoles too", () => {
    expect(touchesIn(`psql -c '${"copy ".repeat(12_000)}'`).length).toBeGreaterThan(0);
    expect(touchesIn(`mysql <<E\n${"\n".repeat(60_000)}x\nE\n`).length).toBeGreaterThan(0);
  });
});

describe("a program whose input is commands", () => {
  it.each(FED)("%j is unknown, and %j is not", (fed, told) =>
    expect([fed, told].map(isUnknown)).toEqual([true, false]),
  );
});
