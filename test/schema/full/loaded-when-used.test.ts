import { expect, it } from "vitest";
import { startProgram } from "../../support/started-program.ts";

it("loads what is large when a schema needs it, and Ajv when that schema is used", async () => {
  await using program = startProgram("compiles-schemas.ts", []);
  expect(await program.ended()).toEqual(["", "ajv ajv-formats", "ajv ajv-formats re2js"]);
});
