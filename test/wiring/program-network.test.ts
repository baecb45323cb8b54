import { readdirSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it } from "vitest";
import { ownTemporary } from "../support/own-temporary.ts";
import { needs } from "../support/parts.ts";
import { openRunningGate, printed } from "../support/running-gate.ts";
import { asKind, codeOf } from "../support/scratch-gate.ts";
import { loseTheProxy } from "./lost-proxy.ts";

const rules = (connect: readonly string[]) =>
  [
    {
      id: "curl",
      effect: "allow",
      touch: { exec: ["curl **"] },
      // `--noproxy` among them: the sandbox holds a program that avoids its proxy.
      options: "any",
      ...(connect.length > 0 && { grant: { connect } }),
    },
  ] as const;

needs(
  "bwrap",
  "prlimit",
  "curl",
)("a program and the network", () => {
  it("gets to granted hosts through the proxy, and nowhere else (A22, F33)", async () => {
    const server = createServer((_, response) => response.end("reached\n"));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    using temporary = ownTemporary();
    try {
      const url = `http://127.0.0.1:${port}/`;
      await using granted = openRunningGate(rules([`127.0.0.1:${port}`]));
      const outcome = asKind(await granted.run(`curl -sS ${url}`), "completed");
      expect(printed(outcome)).toBe("reached\n");
      expect(outcome.structured).toMatchObject({
        network: { connections: [{ host: "127.0.0.1", port, refused: null }] },
      });
      // Also a program that knows nothing of proxies is taken to the proxy, where it is granted by name.
      const plain = asKind(await granted.run(`curl -sS --noproxy '*' ${url}`), "completed");
      expect(printed(plain)).toBe("reached\n");
      expect(plain.structured).toMatchObject({
        network: { connections: [{ host: "127.0.0.1", port, refused: null }] },
      });
      expect(codeOf(await granted.run("curl -sS --noproxy '*' http://127.0.0.1:1/"))).toBe("TOOL_FAILED");
      expect(codeOf(await granted.run("curl -sSf http://127.0.0.1:1/"))).toBe("TOOL_FAILED");
      expect(codeOf(await granted.run("curl -sSf http://169.254.169.254/"))).toBe("TOOL_FAILED");
      await using closed = openRunningGate(rules([]));
      expect(codeOf(await closed.run(`curl -sS ${url}`))).toBe("TOOL_FAILED");
      expect(readdirSync(temporary.folder).filter((name) => name.startsWith("toolgate-way-"))).toEqual([]);
    } finally {
      server.close();
    }
  });

  it("has no other way out when the proxy goes while it runs (F33)", () => loseTheProxy(2));
});
