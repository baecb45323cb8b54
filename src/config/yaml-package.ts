import { createRequire } from "node:module";
import { once } from "../domain/once.ts";

const require = createRequire(import.meta.url);

/** The parser of YAML, loaded for a text that was not read before: see `readings.ts`. `scripts/build.mjs` knows this line. */
export const yaml = once(() => require("yaml") as typeof import("yaml"));
