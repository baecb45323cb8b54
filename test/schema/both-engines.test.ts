import { it } from "vitest";
import { expectBothEnginesAgree } from "./both-engines.ts";

it("finds the same with either engine on random schemas and values", () => expectBothEnginesAgree(200));
