import { it } from "vitest";
import { expectNaiveDecisions } from "./against-naive.ts";

it("decides 1,000,000 random touches as the naive evaluator does", () => expectNaiveDecisions(1_000_000));
