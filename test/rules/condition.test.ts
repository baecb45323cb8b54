import { describe, expect, it } from "vitest";
import type { CallFacts } from "../../src/domain/call-facts.ts";
import { EVERYTHING } from "../../src/domain/lease.ts";
import type { Touch } from "../../src/domain/touch.ts";
import { conditions, factsFor } from "./sample-facts.ts";

const READ: Touch = { kind: "read", path: "/w/src/a.ts" };
const compile = (text: string) => conditions()(text);

function decide(text: string, touch: Touch = READ, facts: Partial<CallFacts> = {}): boolean | string {
  const condition = compile(text);
  if ("error" in condition) throw new Error(condition.error);
  const answer = condition.decide(touch, factsFor("read_file", { touches: [touch], ...facts }));
  return typeof answer === "object" ? answer.fault : answer;
}

describe("what conditions see", () => {
  const lease = { ...EVERYTHING, id: "l", expiresAtMs: Date.UTC(2027, 0) };
  const session = { id: "s1", project: "p", lease };

  it.each<[text: string, answer: boolean, touch?: Touch, facts?: Partial<CallFacts>]>([
    ['call.tool == "read_file"', true],
    ['call.actor == "ann" && call.project == "default" && call.sessionId == "session_1"', true],
    ['session.id == "s1" && session.project == "p" && lease.id == "l"', true, READ, { session }],
    ['lease.expiresAt > timestamp("2026-01-01T00:00:00Z")', true, READ, { session }],
    ["has(lease.expiresAt)", false],
    ['project == "other"', false],
    ['now > timestamp("2026-11-15T11:59:59Z") && now < timestamp("2026-11-15T12:00:01Z")', true],
    ["now.getHours() == 12", true],
    ['now.getHours("Asia/Tokyo") == 21', true],
    ['now - duration("1h") < now', true],
    ['touch.kind == "read" && touch.path.endsWith(".ts")', true],
    ["has(touch.tree)", false],
    ["touch.tree", true, { kind: "read", path: "/w", tree: true }],
    [
      'touch.host == "a.b" && touch.port == 443 && touch.scheme == "https"',
      true,
      { kind: "connect", host: "a.b", port: 443, scheme: "https" },
    ],
    [
      'touch.program == "/bin/ls" && touch.argv == ["ls", "-l"]',
      true,
      {
        kind: "exec",
        origin: "toolchain",
        program: "/bin/ls",
        argv: [
          { text: "ls", known: true },
          { text: "-l", known: true },
        ],
      },
    ],
    ["has(touch.program)", false, { kind: "exec", program: null, origin: "nowhere", argv: [] }],
    ["touch.tokensMax > 10", true, { kind: "model", provider: "p", model: "m", tokensMax: 11 }],
    ['trust == "native"', true],
    ['trust in ["community", "user", "inferred"]', true, READ, { source: "function" }],
    ['risk == "LOW"', true],
    ['risk == "HIGH"', true, { kind: "write", path: "/w/a.exe" }],
    ["effects.filesystem.read && !effects.filesystem.write && !effects.destructive", true],
    ["effects.destructive && effects.filesystem.delete", true, { kind: "delete", path: "/w/a" }],
    ['effects.cost.estimate == "free" && effects.interactive.stdin == "none"', true],
    ["call.input.n == 3", true, READ, { input: { n: 3 } }],
    ["call.input.n > 2.5", true, READ, { input: { n: 3 } }],
    ["call.input.n == 1.5", true, READ, { input: { n: 1.5 } }],
    ["call.input.gone == null", true, READ, { input: { gone: null } }],
    ['call.input["a b"].c[1] == "x"', true, READ, { input: { "a b": { c: ["w", "x"] } } }],
    ['call.input.constructor == "x" && !has(call.input.prototypes)', true, READ, { input: { constructor: "x" } }],
    ['call.input.exists(name, name == "b")', true, READ, { input: { a: 1, b: 2 } }],
    [
      'call.input.edits.all(e, e.path.startsWith("src/"))',
      false,
      READ,
      { input: { edits: [{ path: "src/a" }, { path: "b" }] } },
    ],
    ["call.input.edits.filter(e, e > 1).map(e, e + 1) == [3]", true, READ, { input: { edits: [1, 2] } }],
    ["size(call.input.edits) == 2 && call.input.edits.size() == 2", true, READ, { input: { edits: [1, 2] } }],
    ["size(call.input) == 1 && call.input.size() == 1", true, READ, { input: { edits: [1, 2] } }],
    ['size({"a": 1}) == 1', true],
    ['size("a😀") == 2 && "a😀".size() == 2', true],
    ['" Ab ".trim().lowerAscii() == "ab"', true],
    ['"\u212a".lowerAscii() == "k"', false],
    ['"abc".contains("b") && int("12") == 12', true],
    ['call.tool.matches("^read_(file|all)$")', true],
    ['call.tool.matches("^read$")', false],
    ['call.tool.matches("(a+)+$")', false],
  ])("%s: %s", (text, answer, touch, facts) => expect(decide(text, touch, facts)).toBe(answer));
});

describe("what can't be decided", () => {
  it.each<[text: string, fault: string, facts?: Partial<CallFacts>]>([
    ["touch.host == 'x'", "its condition can't be decided: no such key: host"],
    ["now.getHours('Nowhere/Else') == 1", "its condition can't be decided: it can't be worked out"],
    ["call.input.n == 1", "its condition can't be decided: no such key: n"],
    ["call.input.flag", "its condition is neither true nor false", { input: { flag: "yes" } }],
    ["call.input.n > 'a'", "its condition can't be decided: no such overload: dyn<int> > string", { input: { n: 1 } }],
    [
      "call.input.text.matches('a')",
      "its condition can't be decided: found no matching overload for 'int.matches(string)'",
      { input: { text: 1 } },
    ],
    [
      "call.input.list[2] == 1",
      "its condition can't be decided: no such key: index out of bounds, index 2 >= size 1",
      { input: { list: [1] } },
    ],
  ])("%s", (text, fault, facts) => expect(decide(text, READ, facts)).toBe(fault));

  it.each(["", "0X1F", "0b1", "0o7", " 1", "1.0"])("%j is no number", (t) => {
    const fault = "its condition can't be decided: int() type error: cannot convert to int";
    expect(decide("int(call.input.t) >= 0", READ, { input: { t } })).toBe(fault);
    expect(decide("int(call.input.t) >= 0 || true", READ, { input: { t } })).toBe(true);
  });

  it("is not what another part of the condition decides", () => {
    expect(decide("touch.host == 'x' && false")).toBe(false);
    expect(decide("true || touch.host == 'x'")).toBe(true);
    expect(decide("[1, 2].exists(x, x == 2 || touch.host == 'x')")).toBe(true);
  });
});

describe("what is too large", () => {
  const TOO_LARGE = "its condition can't be decided: a part of the input is too large or too deep for a condition";
  const TOO_MUCH = "its condition can't be decided: there is too much to look at";
  const LONGER = "(call.input.l + call.input.l + call.input.l)";
  const list = (length: number) => Array.from({ length }, (_, i) => i);
  const deep = (depth: number): object => (depth === 0 ? {} : { a: deep(depth - 1) });

  it.each<[string, text: string, input: object, answer: boolean | string]>([
    ["a list at the border", "call.input.l.size() == 500", { l: list(500) }, true],
    ["a list beyond it", "call.input.l.size() == 501", { l: list(501) }, TOO_LARGE],
    ["whether it is there", "has(call.input.l)", { l: list(501) }, TOO_LARGE],
    ["what stands beside it", "call.input.n == 1", { l: list(501), n: 1 }, true],
    [
      "a map beyond it",
      "size(call.input.m) > 0",
      { m: Object.fromEntries(list(501).map((i) => [`k${i}`, i])) },
      TOO_LARGE,
    ],
    ["what is too deep", "call.input.a == call.input.a", { a: deep(20) }, TOO_LARGE],
    ["a text at the border", "call.input.t.startsWith('x')", { t: "x".repeat(4 * 1024 * 1024) }, true],
    ["a text beyond it", "call.input.t.startsWith('x')", { t: "x".repeat(4 * 1024 * 1024 + 1) }, TOO_LARGE],
    ["many values", "call.input.z == 1", { l: Array.from({ length: 25 }, () => list(499)), z: 1 }, TOO_LARGE],
    [
      "a search in a loop",
      "call.input.l.exists(x, call.input.t.contains('y'))",
      { l: list(500), t: "x".repeat(100_000) },
      TOO_MUCH,
    ],
    [
      "numbers in long texts, in a loop",
      "call.input.l.exists(x, int(call.input.t) == 2)",
      { l: list(500), t: `${" ".repeat(100_000)}1` },
      TOO_MUCH,
    ],
    ["an expression on a long text", "call.input.t.matches('y')", { t: "x".repeat(600_000) }, TOO_MUCH],
    ["a long expression on a shorter one", "call.input.t.matches('a{1000}')", { t: "x".repeat(5000) }, TOO_MUCH],
    ["an expression on a shorter one", "call.input.t.matches('y')", { t: "x".repeat(300_000) }, false],
    ["what another part decides", "call.input.t.matches('y') || true", { t: "x".repeat(600_000) }, TOO_MUCH],
    ["two loops", "call.input.l.all(x, call.input.l.exists(y, y == x))", { l: list(500) }, true],
    ["a search in a loop", "call.input.l.all(x, x in call.input.l)", { l: list(500) }, true],
    [
      "a search in two loops",
      "call.input.l.exists(x, call.input.ll.exists(y, -1 - x in y))",
      { l: list(450), ll: Array.from({ length: 15 }, () => list(500)) },
      false,
    ],
    [
      "searches in two loops",
      "call.input.l.exists(x, call.input.ll.exists(y, -1 - x in y || -2 - x in y))",
      { l: list(450), ll: Array.from({ length: 18 }, () => list(500)) },
      TOO_MUCH,
    ],
    [
      "lists that are almost the same, in two loops",
      "call.input.l.exists(x, call.input.l.exists(y, [x] in [[y], [y], [y], [y], [y], [y], [y], [y]] && false))",
      { l: list(90).map((last) => [...list(99), last]) },
      TOO_MUCH,
    ],
    [
      "maps that are almost the same",
      "call.input.l.exists(x, call.input.l.exists(y, x != y && x == y))",
      { l: list(400).map((last) => ({ ["k".repeat(200)]: 1, last })) },
      TOO_MUCH,
    ],
    ...[
      ["maps that are written out", "{'a': {'b': x}} == {'a': {'b': y}}"],
      ["one that is written out, and one that is given", "{'a': x} == call.input.m"],
      ["the same the other way round", "call.input.m == {'a': x}"],
      ["a search among maps that are written out", "{'a': x} in [{'a': y}, {'b': y}, {'a': y}]"],
    ].map(([what = "", same]): [string, string, object, string] => [
      what,
      `call.input.l.exists(x, call.input.l.exists(y, ${same} && false))`,
      { l: list(100).map((last) => "x".repeat(8000) + String(last).padStart(4)), m: { a: "x".repeat(8004) } },
      TOO_MUCH,
    ]),
    [
      "long texts that are almost the same",
      "call.input.l.exists(x, call.input.l.exists(y, x == y && false))",
      { l: list(400).map((last) => "x".repeat(8000) + String(last).padStart(4)) },
      TOO_MUCH,
    ],
    [
      "the order of long texts",
      "call.input.l.exists(x, call.input.l.exists(y, x < y && false))",
      { l: list(400).map((last) => "x".repeat(8000) + String(last).padStart(4)) },
      TOO_MUCH,
    ],
    [
      "texts of any lengths",
      "call.input.l.all(x, x in call.input.l)",
      { l: list(400).map((i) => "x".repeat(i)) },
      true,
    ],
    [
      "lists joined in a loop",
      `call.input.l.all(x, call.input.l.all(y, ${LONGER} != [x]))`,
      { l: list(500) },
      TOO_MUCH,
    ],
    ["loops over joined lists", `${LONGER}.exists(x, ${LONGER}.exists(y, x == y + 1000))`, { l: list(500) }, TOO_MUCH],
    [
      "texts joined in a loop",
      "call.input.l.exists(x, call.input.t + 'x' == '')",
      { l: list(500), t: "x".repeat(50_000) },
      TOO_MUCH,
    ],
    [
      "an error in each turn",
      "call.input.l.exists(x, call.input.l.exists(y, y.gone))",
      { l: list(500).map(() => ({})) },
      TOO_MUCH,
    ],
    [
      "errors of a single loop",
      "call.input.l.exists(x, x.gone)",
      { l: list(500).map(() => ({})) },
      "its condition can't be decided: no such key: gone",
    ],
    [
      "time zones in two loops",
      "call.input.l.exists(x, call.input.l.exists(y, now.getHours('Asia/Tokyo') == 30))",
      { l: list(100) },
      TOO_MUCH,
    ],
    ["a time zone in a loop", "call.input.l.exists(x, now.getHours('Asia/Tokyo') == x)", { l: list(100) }, true],
  ])("%s", (_, text, input, answer) => expect(decide(text, READ, { input: input as CallFacts["input"] })).toBe(answer));

  it("a long text is looked for in one that is almost the same all over", () => {
    const half = "ab".repeat(60_000);
    const input = { text: "ab".repeat(250_000), part: `${half}b${half}` };
    expect(decide("call.input.text.contains(call.input.part)", READ, { input })).toBe(false);
  });
});

describe("what is compared and looked through", () => {
  const input = {
    n: 2.5,
    t: "12",
    l: [1, 2],
    m: { a: 1, b: { c: [1] } },
    same: { a: 1, b: { c: [1] } },
    other: { a: 1 },
  };

  it.each<[text: string, answer: boolean | string]>([
    ["'a' in call.input.m", true],
    ["'z' in call.input.m", false],
    ["call.input.m == call.input.same", true],
    ["call.input.m == call.input.other", false],
    ["{'a': 1} == {'a': 1}", true],
    ["{'a': 1} == {'a': 2}", false],
    ["{'a': 1} == {'a': 1, 'b': 1}", false],
    ["call.input.other == {'a': 1}", true],
    ["call.input.m.all(name, name in ['a', 'b'])", true],
    ["{'a': 1, 'b': 2}.exists(name, name == 'b')", true],
    ["int(call.input.n) == 2", true],
    ["int(call.input.t) == 12", true],
    ["call.input.n.all(x, true)", "its condition can't be decided: "],
  ])("%s", (text, answer) => {
    const decided = decide(text, READ, { input });
    if (typeof answer === "string") expect(decided).toContain(answer);
    else expect(decided).toBe(answer);
  });
});

describe("what is refused when the rules are loaded", () => {
  it.each<[text: string, error: string, offset: number]>([
    ["risk ==", "the condition can't be read: unexpected token: EOF", 7],
    ['risk == "LOW" &&& true', "the condition can't be read: unexpected character: &", 16],
    ['rsk == "LOW"', "the condition can't be read: unknown variable: rsk", 0],
    ['risk == "LOW" && cal', "the condition can't be read: unknown variable: cal", 17],
    ["touch.pth == 'x'", "the condition can't be read: no such key: pth", 6],
    ["risk == 1", "the condition can't be read: no such overload: string == int", 0],
    ["risk.contains(1)", "the condition can't be read: found no matching overload for 'string.contains(int)'", 0],
    ["risk", "the condition gives a string, and has to give true or false", 0],
    ["risk.split('').size() > 1", "`split` is no function that conditions have", 0],
    ["cel.bind(x, risk, x == x)", "`bind` is no function that conditions have", 0],
    ["bytes(risk) == b''", "`bytes` is no function that conditions have", 0],
    ["risk.matches(call.tool)", "what `matches` is given has to be written out in the condition", 0],
    ["now - duration(call.tool) < now", "what `duration` is given has to be written out in the condition", 6],
    [
      "risk.matches('(')",
      "`(` is no expression that `matches` knows (error parsing regexp: missing closing ): `(`)",
      0,
    ],
    [
      "risk.matches('(?=a)')",
      "`(?=a)` is no expression that `matches` knows (error parsing regexp: invalid or unsupported Perl syntax: `(?=`)",
      0,
    ],
    ["[1].all(a, [1].all(b, [1].all(c, c == a)))", "the condition has loops in loops in loops", 22],
    [`risk == "${"x".repeat(2000)}"`, "the condition has 2010 characters, at most 2000 are read", 0],
    [`${"(".repeat(60)}true${")".repeat(60)}`, "the condition can't be read: exceeded maxDepth (50)", 50],
  ])("%s", (text, error, offset) => expect(compile(text)).toMatchObject({ error, offset }));

  it("loops in loops are not, nor one after another", () => {
    expect(decide("[1].all(a, [1].all(b, b == a)) && [1].all(c, c == 1) && [1].all(d, d == 1)")).toBe(true);
  });
});

it("knows which variables a condition asks about", () => {
  const condition = compile("risk == 'LOW' && call.input.list.exists(x, x == touch.path)");
  expect("names" in condition && [...condition.names].sort()).toEqual(["call", "risk", "touch"]);
});

it("sees each touch of a call for itself, over the same facts", () => {
  const condition = compile("touch.path == '/b' && call.input.n == 1");
  if ("error" in condition) throw new Error(condition.error);
  const facts = factsFor("t", { input: { n: 1 } });
  const paths = ["/a", "/b", "/a"];
  expect(paths.map((path) => condition.decide({ kind: "read", path }, facts))).toEqual([false, true, false]);
});
