import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type AddressKind, addressKind, canonicalAddress } from "../../src/domain/address.ts";

/** First and last of each range, and its neighbours on both sides. */
it.each<[address: string, kind: AddressKind]>([
  ["0.0.0.0", "unspecified"],
  ["0.255.255.255", "unspecified"],
  ["1.0.0.0", "public"],
  ["9.255.255.255", "public"],
  ["10.0.0.0", "private"],
  ["10.255.255.255", "private"],
  ["11.0.0.0", "public"],
  ["100.63.255.255", "public"],
  ["100.64.0.0", "shared"],
  ["100.100.100.200", "shared"],
  ["100.127.255.255", "shared"],
  ["100.128.0.0", "public"],
  ["126.255.255.255", "public"],
  ["127.0.0.0", "loopback"],
  ["127.255.255.255", "loopback"],
  ["128.0.0.0", "public"],
  ["168.63.129.15", "public"],
  ["168.63.129.16", "metadata"],
  ["168.63.129.17", "public"],
  ["169.253.255.255", "public"],
  ["169.254.0.0", "link-local"],
  ["169.254.169.254", "link-local"],
  ["169.254.170.2", "link-local"],
  ["169.255.0.0", "public"],
  ["172.15.255.255", "public"],
  ["172.16.0.0", "private"],
  ["172.31.255.255", "private"],
  ["172.32.0.0", "public"],
  ["191.255.255.255", "public"],
  ["192.0.0.0", "reserved"],
  ["192.0.0.192", "reserved"],
  ["192.0.1.0", "public"],
  ["192.0.2.1", "reserved"],
  ["192.0.3.0", "public"],
  ["192.88.99.1", "reserved"],
  ["192.167.255.255", "public"],
  ["192.168.0.0", "private"],
  ["192.169.0.0", "public"],
  ["198.17.255.255", "public"],
  ["198.18.0.0", "private"],
  ["198.19.255.255", "private"],
  ["198.20.0.0", "public"],
  ["198.51.100.7", "reserved"],
  ["203.0.113.7", "reserved"],
  ["203.0.114.0", "public"],
  ["223.255.255.255", "public"],
  ["224.0.0.0", "multicast"],
  ["239.255.255.255", "multicast"],
  ["240.0.0.0", "reserved"],
  ["255.255.255.255", "reserved"],
  ["::", "unspecified"],
  ["::1", "loopback"],
  ["::2", "reserved"],
  ["::7f00:1", "reserved"],
  ["64:ff9b::808:808", "public"],
  ["64:ff9b::7f00:1", "loopback"],
  ["64:ff9b::a9fe:a9fe", "link-local"],
  ["64:ff9b:1::808:808", "reserved"],
  ["100::1", "reserved"],
  ["2001::1", "reserved"],
  ["2001:1ff:ffff::", "reserved"],
  ["2001:200::", "public"],
  ["2001:db8::1", "reserved"],
  ["2001:db9::1", "public"],
  ["2002:7f00:1::", "loopback"],
  ["2002:a9fe:a9fe::1", "link-local"],
  ["2002:808:808::1", "public"],
  ["2606:4700::1111", "public"],
  ["3fff::1", "reserved"],
  ["3fff:1000::", "public"],
  ["4000::1", "reserved"],
  ["5f00::1", "reserved"],
  ["fbff::1", "reserved"],
  ["fc00::1", "private"],
  ["fd00:ec2::254", "private"],
  ["fe00::1", "reserved"],
  ["fe80::1", "link-local"],
  ["febf::1", "link-local"],
  ["fec0::1", "private"],
  ["ff02::1", "multicast"],
])("%s is %s", (address, kind) => {
  expect(addressKind(address)).toBe(kind);
  expect(canonicalAddress(address)).toBe(address);
});

describe("one spelling", () => {
  it.each([
    ["::ffff:127.0.0.1", "127.0.0.1"],
    ["::FFFF:7F00:1", "127.0.0.1"],
    ["0:0:0:0:0:ffff:10.0.0.1", "10.0.0.1"],
    ["0000::1", "::1"],
    ["0:0:0:0:0:0:0:1", "::1"],
    ["2001:DB8::", "2001:db8::"],
    ["2001:db8:0:0:1:0:0:1", "2001:db8::1:0:0:1"],
    ["::127.0.0.1", "::7f00:1"],
  ])("%s is %s", (text, address) => expect(canonicalAddress(text)).toBe(address));

  it.each([
    ...["", "localhost", "1.2.3", "1.2.3.4.5", "256.1.1.1", "01.2.3.4", "1.2.3.4 ", "0x7f.1", "2130706433", "1.2.3.-4"],
    ...[
      "::1%lo",
      "fe80::1%25eth0",
      ":::",
      "::1::",
      "1:2:3:4:5:6:7:8:9",
      "[::1]",
      "g::1",
      "::ffff:1.2.3.4.5",
      ":",
      "a:b",
    ],
  ])("%s is none", (text) => {
    expect(canonicalAddress(text)).toBeNull();
    expect(addressKind(text)).toBeNull();
  });

  it("holds for all addresses: the engine reads the same, and doing it twice changes nothing", () =>
    void fc.assert(
      fc.property(fc.oneof(fc.ipV4(), fc.ipV6()), (text) => {
        const address = canonicalAddress(text) ?? "";
        expect(canonicalAddress(address)).toBe(address);
        expect(addressKind(address)).not.toBeNull();
        const host = new URL(`http://${address.includes(":") ? `[${address}]` : address}/`).hostname;
        expect(host.replace(/^\[|\]$/g, "")).toBe(address);
      }),
      { numRuns: 2000 },
    ));
});
