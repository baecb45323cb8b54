import { describe, expect, it } from "vitest";
import { type Digest, digestOfText } from "../../../src/domain/digest.ts";
import { OwnHashes } from "../../../src/store/sqlite/own-hashes.ts";

const hashes = Array.from({ length: 200 }, (_, i) => digestOfText(`entry ${i}`));
const addTo = (own: OwnHashes, begin: number, end: number) => own.add(begin + 1, hashes.slice(begin, end));

describe("OwnHashes", () => {
  it("are those written since they were last asked for", () => {
    const own = new OwnHashes();
    expect(own.take()).toEqual({ begin: 0, hashes: [] });
    addTo(own, 0, 3);
    addTo(own, 3, 7);
    expect(own.take()).toEqual({ begin: 0, hashes: hashes.slice(0, 7) });
    expect(own.take()).toEqual({ begin: 7, hashes: [] });
    addTo(own, 7, 8);
    expect(own.take()).toEqual({ begin: 7, hashes: hashes.slice(7, 8) });
  });

  it("begin anew behind what another process wrote, and where a process takes over", () => {
    const own = new OwnHashes();
    addTo(own, 100, 103);
    addTo(own, 105, 112);
    expect(own.take()).toEqual({ begin: 105, hashes: hashes.slice(105, 112) });
  });

  it("end where there are too many, and begin anew once they were taken", () => {
    const own = new OwnHashes();
    const many = Array.from({ length: 65_535 }, () => hashes[0] as Digest);
    own.add(1, many);
    own.add(65_536, [hashes[1] as Digest]);
    expect(own.take().hashes).toHaveLength(65_536);
    own.add(65_537, many);
    own.add(131_072, hashes.slice(0, 2));
    own.add(131_074, hashes.slice(0, 1));
    expect(own.take()).toEqual({ begin: 65_536, hashes: many });
    own.add(131_075, hashes.slice(1, 3));
    expect(own.take()).toEqual({ begin: 131_074, hashes: hashes.slice(1, 3) });
  });
});
