import { once } from "../domain/once.ts";
import type { Clock } from "../ports/clock.ts";
import type { ProgramNetwork } from "../ports/program-network.ts";
import type { Web } from "../ports/web.ts";

/** The network is loaded by the first call that needs it: Node's own part of it takes as long as a whole `explain`. */
export const lazyWeb = (clock: Clock): Web => {
  const loaded = once(async () => {
    const [{ openWeb }, system] = await Promise.all([import("../net/guarded-fetch.ts"), systemNet()]);
    return openWeb({ clock, ...system });
  });
  return { fetch: async (request, grant, signal) => (await loaded()).fetch(request, grant, signal) };
};

export const lazyProgramNetwork = (clock: Clock): ProgramNetwork => {
  const loaded = once(async () => {
    const [{ programNetwork }, { openEgressProxies }, system] = await Promise.all([
      import("./program-network.ts"),
      import("../net/egress-proxy.ts"),
      systemNet(),
    ]);
    return programNetwork(openEgressProxies({ clock, ...system }));
  });
  return { open: async (connect, noConnect) => (await loaded()).open(connect, noConnect) };
};

async function systemNet() {
  const { systemDial, systemResolve } = await import("../net/system-net.ts");
  return { dial: systemDial, resolve: systemResolve };
}
