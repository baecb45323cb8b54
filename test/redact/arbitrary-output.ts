import { Buffer } from "node:buffer";
import * as fc from "fast-check";
import { made } from "./samples.ts";

export const VALUES: Readonly<Record<string, string>> = {
  FIRST: "abcabcabcabd",
  SECOND: "cabdabcabc",
  THIRD: `${made(20)}\n${made(20, "alnum", 2)}`,
};

/** Pieces that begin, hold, end, or nearly are secrets: joined at random they make texts that are hard to get right. */
const PIECES = [
  ...Object.values(VALUES),
  "abc",
  "abd",
  ...["password", "token", "secret", "API_KEY", "key", "pwd"],
  ...["=", ": ", " ", "\n", "\r\n", '"', "'", "&", ",", "]", "[REDACTED:x]", "[REDACTED:", "${", "example", "://", "@"],
  ...[
    "ghp_",
    `ghp_${made(36)}`,
    `sk-ant-${made(30)}`,
    "eyJ",
    `eyJ${made(20)}.eyJ${made(20)}`,
    "Bearer ",
    "-u ",
    "--user ",
  ],
  ...[
    "-----BEGIN PRIVATE KEY-----",
    "-----END PRIVATE KEY-----",
    "-----BEGIN ",
    `${made(64)}\n${made(20)}==\n`,
    made(64),
  ],
  ...["hunter2!", made(12, "alnum", 9), made(24, "hex"), "user", "ü", "\u{1f511}", "\0"],
];

export const someOutput: fc.Arbitrary<Buffer> = fc
  .array(
    fc.oneof(
      { weight: 9, arbitrary: fc.constantFrom(...PIECES).map((piece) => Buffer.from(piece)) },
      { weight: 1, arbitrary: fc.uint8Array({ maxLength: 6 }).map((bytes) => Buffer.from(bytes)) },
    ),
    { maxLength: 30 },
  )
  .map((pieces) => Buffer.concat(pieces));

export const someSizes: fc.Arbitrary<readonly number[]> = fc.array(fc.integer({ min: 1, max: 64 }), {
  minLength: 1,
  maxLength: 30,
});
