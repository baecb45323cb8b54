import { it } from "vitest";
import { needs } from "../../support/parts.ts";
import { ignoresLikeGit } from "./ignore-like-git.ts";

needs("git")("what a listing leaves out", () => {
  it("is what git leaves out, in 3,000 random trees", () => ignoresLikeGit(3000));
});
