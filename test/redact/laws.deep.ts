import { it } from "vitest";
import { expectIdempotence, expectSameInPieces } from "./laws.ts";

it("gives the same in pieces as at once, 300,000 times", () => expectSameInPieces(300_000));

it("changes nothing the second time, 300,000 times", () => expectIdempotence(300_000));
