import { it } from "vitest";
import { needs } from "../support/parts.ts";
import { loseTheProxy } from "./lost-proxy.ts";

needs(
  "bwrap",
  "prlimit",
  "curl",
)("a program and the network", () => {
  it("has no other way out when the proxy goes while it runs, in 100 calls (F33)", () => loseTheProxy(100));
});
