import { it } from "vitest";
import { expectSameAhead } from "./search-ahead.ts";

it("gives the same in slices as at once, 1,000 times", () => expectSameAhead(1000));
