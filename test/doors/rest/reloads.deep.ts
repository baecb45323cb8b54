import { it } from "vitest";
import { reloadUnderLoad } from "./reloads.ts";

it("F29: rules that change 1,000 times while calls are made", () => reloadUnderLoad(1000), 3_600_000);
