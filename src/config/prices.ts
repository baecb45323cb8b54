import type { Price } from "../domain/price.ts";
import { compileNamePattern } from "../rules/name-pattern.ts";
import type { RawConfig, ShapeProblem } from "./config-shape.ts";

export const pricesFrom = ({ prices = [] }: RawConfig): readonly Price[] => prices;

/** A pattern that fits nothing would leave its model without a price. */
export const priceProblems = ({ prices = [] }: RawConfig): readonly ShapeProblem[] =>
  prices.flatMap(({ model }, index) => {
    const pattern = compileNamePattern(model);
    if (!("error" in pattern)) return [];
    return [{ path: ["prices", index, "model"], what: "value", message: pattern.error }];
  });
