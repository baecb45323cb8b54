import { it } from "vitest";
import { ENCODINGS, expectFoundInPieces, expectNoLeaks } from "./leaks.ts";

it("lets no part of a secret out, in 100,000 random streams", () => expectNoLeaks(100_000));

const SIZES = Array.from({ length: 64 }, (_, index) => index + 1);

it.each(ENCODINGS)("A21: finds each secret as $name, cut in pieces of 1 to 64 bytes", (encoding) =>
  expectFoundInPieces(encoding, SIZES),
);
