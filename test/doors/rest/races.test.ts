import { it } from "vitest";
import { raceAnswers } from "./races.ts";

it("100 approve/reject races over HTTP have one winner each", () => raceAnswers(100, 20));
