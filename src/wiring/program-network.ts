import { join } from "node:path";
import { forwardsOf, hostAddresses, relayPorts } from "../net/forwards.ts";
import { proxyEnvironment } from "../net/proxy-environment.ts";
import { RELAY_PROGRAM } from "../net/relay-program.ts";
import type { ConnectGrant, EgressProxies } from "../ports/egress.ts";
import type { ProgramNetwork } from "../ports/program-network.ts";
import { PROXY_SOCKET } from "../ports/sandbox.ts";
import { compileConnectPattern } from "../rules/connect-pattern.ts";
import type { Pattern } from "../rules/pattern.ts";
import { privateFolder } from "../sandbox/private-folder.ts";

/** Where the relay's Node lies in the sandbox: a name that no folder of the machine has. */
const NODE = "/.toolgate-node";

/** One proxy for each program, on a socket in a folder of its own. */
export const programNetwork = (proxies: EgressProxies): ProgramNetwork => ({
  open: async (connect, noConnect) => {
    using stack = new DisposableStack();
    const { path } = stack.use(privateFolder());
    const socketPath = join(path, "proxy");
    const proxy = await proxies.open({ socketPath, grant: grantOf(connect, noConnect) });
    const folder = stack.move();
    const forwards = forwardsOf(connect);
    return {
      socketPath,
      env: proxyEnvironment(),
      hosts: hostAddresses(forwards),
      wrapped: (argv) => [NODE, "-e", RELAY_PROGRAM, "--", relayPorts(forwards), PROXY_SOCKET, ...argv],
      installed: { path: process.execPath, at: NODE },
      log: proxy.log,
      [Symbol.asyncDispose]: async () => {
        await proxy.close();
        folder.dispose();
      },
    };
  },
});

/** A pattern that can't be read grants nothing, and closes everything. */
function grantOf(connect: readonly string[], noConnect: readonly string[]): ConnectGrant {
  const open = compiled(connect);
  const closed = compiled(noConnect);
  const isClosed = (subject: string) =>
    closed.length < noConnect.length || closed.some(({ matches }) => matches(subject));
  return {
    covers: (host, port) => !isClosed(`${host}:${port}`) && open.some(({ matches }) => matches(`${host}:${port}`)),
    names: (host, port) =>
      !isClosed(`${host}:${port}`) &&
      open.some(({ matches, isExact }) => isExact === true && matches(`${host}:${port}`)),
  };
}

const compiled = (patterns: readonly string[]): readonly Pattern[] =>
  patterns.map((pattern) => compileConnectPattern(pattern)).filter((pattern) => "matches" in pattern);
