import { expect, it } from "vitest";
import { EXIT, OUTCOME_EXIT } from "../../../src/doors/cli/exit-codes.ts";

it("the exit codes that scripts rely on", () => {
  expect(OUTCOME_EXIT).toEqual({ completed: 0, failed: 1, refused: 3, pending: 4, unknown: 5 });
  expect(EXIT).toMatchObject({ ok: 0, usage: 2, ledgerBroken: 6 });
  const codes = [...Object.values(OUTCOME_EXIT).slice(1), ...Object.values(EXIT)];
  expect(new Set(codes).size).toBe(codes.length);
});
