import { it } from "vitest";
import { needs } from "../../../support/parts.ts";
import { patchesLikeGit } from "./patch-like-git.ts";

needs("git")("patches of git", () => {
  it("make one tree of the other, 1,000 times", () => patchesLikeGit(1000));
});
