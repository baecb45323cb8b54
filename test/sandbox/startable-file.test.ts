import { expect, it } from "vitest";
import { FIRST_FREE } from "../../src/sandbox/spawner-program.ts";
import { ranBehind } from "../support/as-somebody.ts";

it.runIf(process.arch === "x64")("is started also where low descriptors are free when it is made", async () => {
  const low = Array.from({ length: 3 }, (_, index) => String(FIRST_FREE - 1 - index));
  const given = low.map((fd) => `${fd}</dev/null`).join(" ");
  const wrapper = ["/bin/bash", "-c", `exec "$@" ${given}`, "bash"];
  expect(await ranBehind(wrapper, "starts-spawner.ts", ...low)).toEqual({ isThere: true });
});
