import { it } from "vitest";
import { expectNaiveDecisions } from "./against-naive.ts";

it("decides 20,000 random touches as the naive evaluator does", () => expectNaiveDecisions(20_000));
