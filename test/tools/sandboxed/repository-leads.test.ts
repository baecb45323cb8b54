import { expect, it } from "vitest";
import { lacksLead, saysWhereConfigIs } from "../../../src/tools/sandboxed/repository-leads.ts";

it.each([
  ["/w/.git", "file", "/w/.git/config"],
  ["/w/sub/.git", "file", "/w/sub/.git/config"],
  ["/w/.git", "directory", null],
  ["/w/x.git", "file", null],
  ["/w/.git/commondir", "file", "/w/.git/config"],
  ["/w/.git/commondir", "link", "/w/.git/config"],
  ["/w/.git/commondir", "directory", null],
  ["/w/.git/worktrees/x/commondir", "file", "/w/.git/config"],
  ["/w/.git/worktrees/commondir", "file", null],
  ["/w/.git/worktrees/x/config.worktree", "file", "/w/.git/config.worktree"],
  ["/w/.git/worktrees/x/y/config.worktree", "file", null],
  ["/w/worktrees/x/commondir", "file", null],
  ["/w/commondir", "file", null],
] as const)("%s, a %s", (path, kind, config) => expect(saysWhereConfigIs(path, kind)).toBe(config));

it("a repository has said where its configuration is, or has not", () => {
  const lead = { path: "/w/.git/commondir", config: "/w/.git/config" };
  expect(lacksLead("/w/.git", new Set(["HEAD"]))).toEqual(lead);
  expect(lacksLead("/w/.git", new Set(["commondir"]))).toBeNull();
  expect(lacksLead("/w/git", new Set())).toBeNull();
  const own = { path: "/w/.git/worktrees/x/config.worktree", config: "/w/.git/config.worktree" };
  expect(lacksLead("/w/.git/worktrees/x", new Set(["commondir"]))).toEqual(own);
  expect(lacksLead("/w/.git/worktrees/x", new Set(["config.worktree"]))).toBeNull();
});
