import { it } from "vitest";
import { expectAjvsVerdicts } from "./against-ajv.ts";

it("gives Ajv's verdict on random schemas and values", () => expectAjvsVerdicts(300));
