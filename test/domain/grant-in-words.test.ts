import { expect, it } from "vitest";
import { grantInWords } from "../../src/domain/grant-in-words.ts";

it("says what programs may do by themselves, and what they may not", () => {
  const granted = { read: ["./**", "/srv/a"], write: ["./out/**"], connect: ["example.com:443"] };
  expect(grantInWords(granted)).toBe(
    "by itself it may read `./**`, `/srv/a`; write `./out/**`; connect to `example.com:443`",
  );
  expect(grantInWords({ read: ["./**"], write: [], connect: [] })).toBe(
    "by itself it may read `./**`; write nothing that stays; connect to nothing",
  );
});

it("shows patterns whole, and lets none of them say more", () => {
  const path = `./${"a".repeat(5000)}\`; connect to nothing\u202e`;
  const told = grantInWords({ read: [], write: [path], connect: ["*:443"] });
  expect(told).toContain("a".repeat(5000));
  expect(told.split("`")).toHaveLength(5);
  expect(told).toContain("\\u{202e}");
});
