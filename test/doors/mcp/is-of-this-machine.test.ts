import { expect, it } from "vitest";
import { isOfThisMachine } from "../../../src/doors/mcp/is-of-this-machine.ts";

it.each<[string | undefined, string | undefined, boolean]>([
  ["127.0.0.1", "127.0.0.1", true],
  ["127.0.0.9", "127.0.0.1", true],
  ["::1", "::1", true],
  ["::ffff:127.0.0.1", "::ffff:127.0.0.1", true],
  ["::ffff:127.0.0.9", "::ffff:127.0.0.1", true],
  ["192.0.2.7", "192.0.2.7", true],
  ["192.0.2.8", "192.0.2.7", false],
  ["::ffff:192.0.2.8", "::ffff:192.0.2.7", false],
  [undefined, undefined, false],
])("a client at %s of a server at %s is of this machine: %s", (remoteAddress, localAddress, isHere) => {
  expect(isOfThisMachine({ remoteAddress, localAddress })).toBe(isHere);
});
