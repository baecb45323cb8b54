import { expect, it } from "vitest";
import { connectGrant } from "../../src/rules/connect-grant.ts";

const GRANT = connectGrant(["*.example.com:443", "127.0.0.1:8080", "[::1]:*", "no pattern", "localhost:80"]);

it.each<[host: string, port: number, covers: boolean, names: boolean]>([
  ["a.example.com", 443, true, false],
  ["a.example.com", 80, false, false],
  ["127.0.0.1", 8080, true, true],
  ["127.0.0.1", 80, false, false],
  ["::1", 1, true, true],
  ["localhost", 80, true, true],
  ["no pattern", 1, false, false],
])("%s:%s", (host, port, covers, names) => {
  expect(GRANT.covers(host, port)).toBe(covers);
  expect(GRANT.names(host, port)).toBe(names);
});

it("an empty list grants nothing", () => {
  expect(connectGrant([]).covers("example.com", 443)).toBe(false);
  expect(connectGrant([]).names("127.0.0.1", 80)).toBe(false);
});
