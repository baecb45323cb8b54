import { defineConfig, mergeConfig } from "vitest/config";
import base, { ALL, COSTLY, SLOW } from "./vitest.base.config.ts";

/** `npm run check`: what takes long is left to `npm test`. The others share processes, as they do there. */
export default mergeConfig(
  base,
  defineConfig({ test: { include: ALL, exclude: ["node_modules/**", ...SLOW, ...COSTLY], isolate: false } }),
);
