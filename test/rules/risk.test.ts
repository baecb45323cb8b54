import { expect, it } from "vitest";
import type { Risk } from "../../src/domain/call.ts";
import type { Touch } from "../../src/domain/touch.ts";
import { riskOf } from "../../src/rules/risk.ts";

const read: Touch = { kind: "read", path: "/a" };
const write: Touch = { kind: "write", path: "/a" };
const remove: Touch = { kind: "delete", path: "/a" };
const unknown: Touch = { kind: "unknown", reason: "a pipe" };

it.each<[string, Touch[], Risk]>([
  ["reading", [read], "LOW"],
  ["writing", [write], "MEDIUM"],
  ["deleting", [remove], "HIGH"],
  ["what can't be read", [unknown], "HIGH"],
  ...["exe", "bin", "so", "dll", "dylib", "sys", "drv", "conf", "config", "app", "deb", "rpm", "msi", "EXE"].map(
    (ending): [string, Touch[], Risk] => [`writing .${ending}`, [{ kind: "write", path: `/a.${ending}` }], "HIGH"],
  ),
  ["writing what only begins so", [{ kind: "write", path: "/a.exe.txt" }], "MEDIUM"],
  ["writing a folder's namesake", [{ kind: "write", path: "/a.conf/b" }], "MEDIUM"],
  ["reading what machines run", [{ kind: "read", path: "/a.exe" }], "LOW"],
  ["the highest of all, at the end", [read, write, remove], "HIGH"],
  ["the highest of all, at the start", [remove, write, read], "HIGH"],
])("%s", (_, touches, risk) => expect(riskOf(touches)).toBe(risk));
