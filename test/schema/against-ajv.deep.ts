import { it } from "vitest";
import { expectAjvsVerdicts } from "./against-ajv.ts";

it("gives Ajv's verdict on many random schemas and values", () => expectAjvsVerdicts("small", 20_000));

it("gives Ajv's verdict on many schemas with what only users use", () => expectAjvsVerdicts("full", 10_000));
