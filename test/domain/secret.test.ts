import { inspect } from "node:util";
import { expect, it } from "vitest";
import { Secret } from "../../src/domain/secret.ts";

const VALUE = "correct horse battery staple";
const secret = new Secret(VALUE);

it("is revealed only on request", () => expect(secret.reveal()).toBe(VALUE));

it.each([
  ["a template", () => `${secret}`],
  ["JSON", () => JSON.stringify({ secret })],
  ["inspection", () => inspect({ deep: { secret } }, { depth: null, showHidden: true })],
  ["an error", () => String(new Error(`no ${secret}`, { cause: secret }))],
  ["a spread", () => JSON.stringify({ ...secret })],
])("does not show in %s", (_, shown) => expect(shown()).not.toContain(VALUE));
