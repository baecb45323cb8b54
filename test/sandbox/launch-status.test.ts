import { expect, it } from "vitest";
import { LaunchStatus } from "../../src/sandbox/launch-status.ts";

const STARTED = '{ "child-pid": 6064, "net-namespace": 4026532183 }\n';

it.each<[string, readonly string[], number | null]>([
  ["nothing", [], null],
  ["a child that never ran the program", [STARTED], null],
  ["a program that ran", [STARTED, '{ "exit-code": 0 }\n'], 0],
  ["a line in pieces", [STARTED.slice(0, 9), STARTED.slice(9), '{ "exit-', 'code": 137 }\n'], 137],
  ["no JSON", ["exit-code: 0\n", '{ "exit-code": \n', "null\n", "3\n"], null],
  ["a code that is no number", ['{ "exit-code": "0" }\n'], null],
  ["more than bubblewrap ever says", ["x".repeat(64 * 1024), '\n{ "exit-code": 0 }\n'], null],
])("%s", (_, chunks, expected) => {
  const status = new LaunchStatus();
  for (const chunk of chunks) status.add(chunk);
  expect(status.exitCode()).toBe(expected);
});
