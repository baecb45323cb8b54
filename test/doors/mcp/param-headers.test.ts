import { expect, it } from "vitest";
import { declaredHeaders, mismatchedParams } from "../../../src/doors/mcp/param-headers.ts";

const SCHEMA = {
  type: "object",
  properties: {
    region: { type: "string", "x-mcp-header": "Region" },
    plain: { type: "string" },
    where: { type: "object", properties: { zone: { type: "number", "x-mcp-header": "Zone" } } },
  },
};
const declared = declaredHeaders(SCHEMA);

const check = (given: unknown, headers: Record<string, string>) =>
  mismatchedParams(declared, { id: 1, params: { arguments: given } }, new Headers(headers));

it("finds what a schema asks for, at any depth", () => {
  expect(declared).toEqual([
    { header: "mcp-param-region", path: ["region"] },
    { header: "mcp-param-zone", path: ["where", "zone"] },
  ]);
  expect(declaredHeaders(undefined)).toEqual([]);
  expect(declaredHeaders({ properties: null })).toEqual([]);
});

it.each<[string, unknown, Record<string, string>, boolean]>([
  ["the same", { region: "eu" }, { "Mcp-Param-Region": "eu" }, true],
  ["the same in Base64", { region: "Ünï" }, { "Mcp-Param-Region": "=?base64?w5xuw68=?=" }, true],
  ["nothing given", {}, {}, true],
  ["nothing given, and a header", {}, { "Mcp-Param-Region": "eu" }, true],
  ["a number however it is written", { where: { zone: 4 } }, { "Mcp-Param-Zone": "4.0" }, true],
  ["another value", { region: "eu" }, { "Mcp-Param-Region": "us" }, false],
  ["no header", { region: "eu" }, {}, false],
  ["no Base64", { region: "eu" }, { "Mcp-Param-Region": "=?base64?ZX!?=" }, false],
  ["Base64 that is no text", { region: "eu" }, { "Mcp-Param-Region": "=?base64?/w==?=" }, false],
  ["a number and an empty header", { where: { zone: 0 } }, { "Mcp-Param-Zone": "" }, false],
  ...["0x4", "0b100", "4e0", "+4", "4.", "=?base64?MHg0?="].map(
    (said): [string, unknown, Record<string, string>, boolean] => [
      `a number that others read as another one: ${said}`,
      { where: { zone: 4 } },
      { "Mcp-Param-Zone": said },
      false,
    ],
  ),
  ["an inherited name", { where: { zone: 4 } }, { "Mcp-Param-Zone": "5" }, false],
])("%s", async (_, given, headers, isFine) => {
  const refused = check(given, headers);
  expect(refused === null).toBe(isFine);
  if (refused !== null) {
    expect(refused.status).toBe(400);
    expect(await refused.json()).toMatchObject({ id: 1, error: { code: -32_020 } });
  }
});
