import { it } from "vitest";
import { expectBothEnginesAgree } from "./both-engines.ts";

it("finds the same with either engine on many random schemas and values", () => expectBothEnginesAgree(10_000));
