import { expect, it } from "vitest";
import type { ToolSource } from "../../src/domain/tool.ts";
import type { Trust } from "../../src/domain/tool-effects.ts";
import { isTrustedAs, trustOf } from "../../src/rules/trust.ts";

it.each<[source: ToolSource, said: Trust | undefined, trust: Trust]>([
  ["builtin", undefined, "native"],
  ["builtin", "inferred", "native"],
  ["function", undefined, "inferred"],
  ["mcp", "native", "inferred"],
  ["mcp", "vendor", "vendor"],
  ["atip", "community", "community"],
])("%s that is said to be %s is %s", (source, said, trust) =>
  expect(trustOf({ source, ...(said && { trust: said }) })).toBe(trust),
);

it("is an order", () => {
  const order: Trust[] = ["native", "vendor", "org", "community", "user", "inferred"];
  for (const [i, a] of order.entries()) for (const [j, b] of order.entries()) expect(isTrustedAs(a, b)).toBe(i <= j);
});
