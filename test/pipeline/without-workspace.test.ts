import { expect, it } from "vitest";
import { withoutWorkspace } from "../../src/pipeline/without-workspace.ts";

it.each([
  ["can't open /home/me/w/a/b.txt", "can't open a/b.txt"],
  ["can't open `/home/me/w`", "can't open `.`"],
  ["/home/me/w/ is full. So is /home/me/w.", ". is full. So is .."],
  ["'/home/me/w/a', \"/home/me/w//b\"", "'a', \"b\""],
  ["/home/me/w2/a and /home/me/w.bak stay", "/home/me/w2/a and /home/me/w.bak stay"],
  ["/mnt/home/me/w/a stays", "/mnt/home/me/w/a stays"],
  ["/home/me/w/ü", "ü"],
  ["nothing here", "nothing here"],
])("%s", (message, shown) => expect(withoutWorkspace(message, "/home/me/w")).toBe(shown));

it("leaves all where the workspace is the machine", () => expect(withoutWorkspace("/etc", "/")).toBe("/etc"));

it("takes the workspace's name literally", () => {
  expect(withoutWorkspace("/w+(1)/a", "/w+(1)")).toBe("a");
  expect(withoutWorkspace("/www1/a", "/w+(1)")).toBe("/www1/a");
});
