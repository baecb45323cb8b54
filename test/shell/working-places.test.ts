import { expect, it } from "vitest";
import { decisionOn, rulesFrom, touchesIn } from "./judged.ts";

const rulesFor = (program: string) =>
  rulesFrom({
    id: "one",
    effect: "allow",
    touch: { exec: [program, "cd **", "exit", "true", "trap **", "eval **", ":"] },
  });

/** What may run in a folder where another program of that name lies than the one that the rule speaks of. */
it.each([
  ["./run", "cd a || true && ./run"],
  ["./run", "cd a || exit && ./run"],
  ["./run", "cd a || ./run && ./run"],
  ["./run", "true && cd a || exit && ./run"],
  ["./run", "trap ./run EXIT; cd a"],
  ["./a/run", "x=$(cd a) && ./run"],
  ["./a/run", "eval 'cd a; true' && ./run"],
  ["./a/run", "cd a || ./run"],
])("a rule for %s does not let through: %s", (program, line) => {
  expect([line, decisionOn(rulesFor(program), line, touchesIn(line))]).toEqual([line, "deny"]);
});

it.each([
  ["./run", "cd a || ./run"],
  ["./run", "trap ./run EXIT; true"],
  ["./a/run", "cd a && ./run"],
  ["./a/run", "true && cd a && true && ./run"],
  ["./a/run", "cd a && ./run || exit"],
])("a rule for %s lets through: %s", (program, line) => {
  expect([line, decisionOn(rulesFor(program), line, touchesIn(line))]).toEqual([line, "allow"]);
});
