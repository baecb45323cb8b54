import { it } from "vitest";
import { expectAjvsVerdicts } from "./against-ajv.ts";

it("gives Ajv's verdict on random schemas and values", () => expectAjvsVerdicts("small", 300));

it("gives Ajv's verdict on schemas with what only users use", () => expectAjvsVerdicts("full", 150));
