import { describe, expect, it } from "vitest";
import { checkAddresses, checkHost } from "../../src/net/egress-check.ts";
import { grant } from "./test-net.ts";

const check = (host: string, port: number, ...patterns: string[]) => {
  const result = checkHost({ host, port }, grant(...patterns));
  return result.kind === "blocked" ? result.fault.message : result;
};

describe("a host", () => {
  it("that nothing grants is blocked before its name is looked up", () => {
    expect(check("example.com", 443)).toBe("nothing grants a connection to `example.com:443`");
    expect(check("example.com", 80, "example.com:443")).toBe("nothing grants a connection to `example.com:80`");
    expect(check("::1", 80, "example.com:443")).toBe("nothing grants a connection to `[::1]:80`");
  });
  it("that is granted by name is looked up", () =>
    expect(check("a.example.com", 443, "*.example.com:443")).toEqual({ kind: "lookup" }));
  it("that is a public address is connected to as it is", () =>
    expect(check("8.8.8.8", 53, "*:53")).toEqual({ kind: "addresses", addresses: ["8.8.8.8"] }));
  it.each([
    ["127.0.0.1", "loopback"],
    ["169.254.169.254", "link-local"],
    ["10.0.0.1", "private"],
    ["100.64.0.1", "shared"],
    ["0.0.0.0", "unspecified"],
    ["168.63.129.16", "metadata"],
    ["224.0.0.1", "multicast"],
    ["localhost", "loopback"],
    ["a.localhost", "loopback"],
  ])("%s is covered by no wildcard", (host, kind) =>
    expect(check(host, 80, "*:*", "*:80", "**.localhost:80")).toBe(
      `\`${host}:80\` is not on the internet (${kind}), and no rule names that address`,
    ),
  );
  it("of this machine can be granted by its name or address", () => {
    expect(check("127.0.0.1", 80, "127.0.0.1:80")).toEqual({ kind: "addresses", addresses: ["127.0.0.1"] });
    expect(check("localhost", 80, "localhost:*")).toEqual({ kind: "addresses", addresses: ["127.0.0.1", "::1"] });
    expect(check("localhost", 80, "127.0.0.1:80")).toBe("nothing grants a connection to `localhost:80`");
  });
});

describe("the addresses of a name", () => {
  const found = (addresses: readonly string[], ...patterns: string[]) =>
    checkAddresses({ host: "a.example", port: 80 }, addresses, grant("a.example:80", ...patterns))?.message ?? null;

  it("may all be public", () => expect(found(["93.184.216.34", "2606:4700::1111"])).toBeNull());
  it.each([
    ["127.0.0.1", "loopback"],
    ["::1", "loopback"],
    ["fd00:ec2::254", "private"],
    ["64:ff9b::a9fe:a9fe", "link-local"],
  ])("and %s among them spoils all", (address, kind) =>
    expect(found(["93.184.216.34", address])).toBe(
      `\`a.example:80\` leads to \`${address}\`, which is not on the internet (${kind}), and no rule names that address`,
    ),
  );
  it("count as what IPv6 wraps", () => expect(found(["::ffff:127.0.0.1"])).toContain("leads to `127.0.0.1`"));
  it("and what can't be read as one", () => expect(found(["fe80::1%eth0"])).toContain("unreadable"));
  it("may be granted by address, port and all", () => {
    expect(found(["10.1.2.3"], "10.1.2.3:80")).toBeNull();
    expect(found(["::ffff:10.1.2.3"], "10.1.2.3:80")).toBeNull();
    expect(found(["10.1.2.3"], "10.1.2.3:443")).not.toBeNull();
    expect(found(["10.1.2.3"], "*:80")).not.toBeNull();
  });
  it("may be none", () => expect(found([])).toBe("`a.example:80` could not be reached: it has no address"));
});
