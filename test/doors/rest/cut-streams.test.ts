import { it } from "vitest";
import { besideStalled, cutAfterEach } from "./cut-streams.ts";

it("a stream that is cut after each of 150 events loses none and has none twice", () => cutAfterEach(150));
it("readers that take nothing hold up nobody", () => besideStalled(20, 600));
