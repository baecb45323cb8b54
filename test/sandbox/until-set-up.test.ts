import { expect, it } from "vitest";
import { untilSetUp } from "../../src/sandbox/until-set-up.ts";

/** Says "not ready" so often, and then what was found. */
const after = (looks: number) => {
  let made = 0;
  return () => (made++ < looks ? "not ready" : "same");
};

it.each([0, 1, 19, 20, 25])("is found after %i looks in vain", async (looks) => {
  expect(await untilSetUp(after(looks), () => false)).toBe("same");
});

it("is looked for by several at a time, each for its own", async () => {
  const found = await Promise.all([3, 0, 21].map((looks) => untilSetUp(after(looks), () => false)));
  expect(found).toEqual(["same", "same", "same"]);
});

it("is not looked for once nobody cares", async () => {
  let looks = 0;
  const look = () => {
    looks++;
    return "not ready" as const;
  };
  expect(await untilSetUp(look, () => looks === 4)).toBe("over");
  expect(looks).toBe(4);
  expect(await untilSetUp(look, () => true)).toBe("over");
  expect(looks).toBe(4);
});

it("is told as it was found", async () => {
  expect(
    await untilSetUp(
      () => "changed",
      () => false,
    ),
  ).toBe("changed");
});
