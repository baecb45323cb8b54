import { expect, it } from "vitest";
import { once } from "../../src/domain/once.ts";

it("is worked out when it is first asked for, and once", () => {
  let made = 0;
  const value = once(() => {
    made++;
    return undefined;
  });
  expect(made).toBe(0);
  expect([value(), value(), made]).toEqual([undefined, undefined, 1]);
});
