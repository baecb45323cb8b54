import { expect, it } from "vitest";
import { rolesOf } from "../../src/wiring/roles-of.ts";

const named = (name: string, ...roles: readonly string[]) => ({ name, tokenHash: "", roles });
const USERS = [named("ann", "approver", "ops"), named("bob", "caller", "ops"), named("eve", "admin")];

it.each([
  ["user:ann", ["approver", "ops"]],
  ["user:eve", ["admin"]],
  ["user:bob", null],
  ["user:gone", null],
  ["user:", null],
  ["admin", ["admin"]],
  ["local:root", ["local"]],
  // A program that answers by the library says who it is by itself: no name of the configuration is lent to it.
  ["ann", ["local"]],
])("%s has %j", (who, roles) => {
  expect(rolesOf(who, USERS)).toEqual(roles);
});
