import { it } from "vitest";
import { raceAnswers } from "./races.ts";

it("10,000 approve/reject races over HTTP have one winner each", () => raceAnswers(10_000, 50), 1_800_000);
