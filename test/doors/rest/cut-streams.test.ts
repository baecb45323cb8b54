import { it } from "vitest";
import { besideStalled, cutAfterEach, cutWithinReset } from "./cut-streams.ts";

it("a stream that is cut after each of 150 events loses none and has none twice", () => cutAfterEach(150));
it("a stream that has to begin anew, cut anywhere in that, tells of all open questions", () => cutWithinReset(4));
it("readers that take nothing hold up nobody", () => besideStalled(20, 600));
