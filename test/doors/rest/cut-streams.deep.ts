import { it } from "vitest";
import { besideStalled, cutAfterEach } from "./cut-streams.ts";

it(
  "a stream that is cut after each of 10,000 events loses none and has none twice",
  () => cutAfterEach(10_000),
  1_800_000,
);
it("100 readers that take nothing hold up nobody", () => besideStalled(100, 30_000), 1_800_000);
