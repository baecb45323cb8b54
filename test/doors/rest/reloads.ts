import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { loadConfig } from "../../../src/config/config.ts";
import { restDoor } from "../../../src/doors/rest/rest-door.ts";
import { openServer } from "../../../src/doors/serve/open-server.ts";
import { buildGate } from "../../../src/wiring/build-gate.ts";
import { ADMIN } from "../../support/admin-token.ts";
import { handClock } from "../../support/hand-clock.ts";
import { openScratchGate } from "../../support/scratch-gate.ts";

const ALLOW = { id: "read", effect: "allow", touch: { read: ["./**"] } };
const DENY = { id: "not-this", effect: "deny", touch: { read: ["./a.txt"] } };
const CALLERS = 4;

/** Callers at work while the rules are changed again and again, each third time into something that does not load. */
export async function reloadUnderLoad(reloads: number): Promise<void> {
  await using scratch = openScratchGate({ rules: [ALLOW as never] });
  scratch.put("a.txt", "a");
  const path = join(scratch.folder, "toolgate.yaml");
  const clock = handClock(Date.now());
  const alarms: string[] = [];
  const reread = () => {
    const loaded = loadConfig({ path });
    return loaded.ok
      ? ({ kind: "ready", config: loaded.config } as const)
      : ({ kind: "invalid", problems: loaded.problems } as const);
  };
  const gate = buildGate({ config: scratch.config, reread, alarm: (message) => alarms.push(message) }, { clock });
  await gate.begin();
  const server = await openServer({
    gate,
    adminToken: ADMIN,
    doors: [restDoor],
    log: () => {},
    port: 0,
    callsPerMinute: 1_000_000,
  });
  const call = async () => {
    const response = await fetch(`${server.url}/my/projects/default/tools/execute`, {
      method: "POST",
      headers: { Authorization: `Bearer ${ADMIN}` },
      body: JSON.stringify({ tool_name: "read_file", tool_params: { path: "a.txt" } }),
    });
    const { kind, refusal } = (await response.json()) as { kind: string; refusal?: { code: string } };
    return refusal?.code ?? kind;
  };
  const told = new Map<string, number>();
  let isOver = false;
  const callers = Array.from({ length: CALLERS }, async () => {
    while (!isOver) {
      const what = await call();
      told.set(what, (told.get(what) ?? 0) + 1);
    }
  });
  for (let n = 0; n < reloads; n++) {
    const rules = n % 3 === 0 ? [ALLOW, DENY] : [ALLOW];
    const config = JSON.stringify({ workspace: "ws", state: "state", rules });
    writeFileSync(path, n % 3 === 1 ? `${config}: broken ${n}` : config);
    clock.move(1000);
    // One call comes to its end under whatever holds by then.
    await call();
  }
  isOver = true;
  await Promise.all(callers);
  await server.close(0);
  expect([...told.keys()].filter((what) => what !== "completed" && what !== "RULE_DENY")).toEqual([]);
  expect(told.get("completed")).toBeGreaterThan(0);
  const known = new Set<unknown>();
  for (const { kind, body } of scratch.entries()) {
    if (kind === "policy.loaded") known.add(body["rulesHash"]);
    // INVARIANT (told first): nothing is judged by rules that the ledger has not heard of.
    if (body["rulesHash"] !== undefined) expect(known).toContain(body["rulesHash"]);
  }
  expect(alarms.length).toBeGreaterThan(0);
  expect(await scratch.again().ledger.verify()).toMatchObject({ ok: true });
}
