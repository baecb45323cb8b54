import { defineConfig, mergeConfig } from "vitest/config";
import base, { ALL, SLOW } from "./vitest.base.config.ts";

/** `npm test`: every suite but the deep ones. */
export default mergeConfig(
  base,
  defineConfig({
    test: {
      // One process for many suites: loading the same modules anew for each takes longer than most of the tests.
      isolate: false,
      projects: [
        { extends: true, test: { name: "slow", include: SLOW } },
        { extends: true, test: { name: "suites", include: ALL, exclude: ["node_modules/**", ...SLOW] } },
      ],
    },
  }),
);
