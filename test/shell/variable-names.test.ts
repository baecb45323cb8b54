import { expect, it } from "vitest";
import { proxyEnvironment } from "../../src/net/proxy-environment.ts";
import { sandboxOptions } from "../../src/sandbox/bubblewrap-arguments.ts";
import { changesExecution, isHarmless, isInherited } from "../../src/shell/variable-names.ts";

const command = { argv: ["/p"], mounts: [], limits: { memoryBytes: 1, openFiles: 1 }, view: "system" } as const;

/** What programs in the sandbox find in their environment without being given it. */
const names = [
  ...sandboxOptions(command, { options: [], bound: [], path: [] }, "/.ready").flatMap((word, at, all) =>
    word === "--setenv" ? [all[at + 1] as string] : [],
  ),
  ...Object.keys(proxyEnvironment()),
];

it("knows each variable that the sandbox sets: an assignment to it reaches programs without `export`", () => {
  expect(names).toContain("GIT_CONFIG_SYSTEM");
  expect(names.filter((name) => !isInherited(name) && !changesExecution(name) && !isHarmless(name))).toEqual([]);
  expect(isInherited("A")).toBe(false);
});
