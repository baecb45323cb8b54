import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { a2aClient, BINDINGS, callMessage, send } from "../../support/a2a-client.ts";
import { actingTool } from "../../support/acting-tool.ts";
import { openTestServer, user } from "../../support/test-server.ts";

it.each(BINDINGS)(
  "what a call prints is heard no longer by who was an approver when the stream began: %s",
  async (binding) => {
    const goOn = Promise.withResolvers<string>();
    await using server = await openTestServer({
      tools: ({ workspace }) => [
        actingTool(workspace, { act: () => goOn.promise }).tool,
        actingTool(workspace, { name: "look" }).tool,
      ],
      config: { server: { users: [user("cal", "caller"), user("ann", "approver")] } },
      settings: "followed",
    });
    const [cal, ann] = [await a2aClient(server.url, binding, "cal"), await a2aClient(server.url, binding, "ann")];
    const { id } = await send(cal, "act", {}, { returnImmediately: true });
    const heard: string[] = [];
    const [began, printed] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const listening = (async () => {
      for await (const { payload } of ann.resubscribeTask({ tenant: "", id })) {
        heard.push(payload?.$case ?? "");
        if (heard.length === 1) began.resolve();
        if (JSON.stringify(payload).includes("first")) printed.resolve();
      }
    })();
    await began.promise;
    server.gate.events.progress(id, { message: "first" });
    await printed.promise;
    const path = join(server.scratch.folder, "toolgate.yaml");
    const users = [user("cal", "caller"), user("ann")];
    writeFileSync(path, JSON.stringify({ ...JSON.parse(readFileSync(path, "utf8")), server: { users } }));
    // A call looks at the settings of now.
    while (server.gate.inForce.server.users.some(({ roles }) => roles.includes("approver")))
      await cal.sendMessage(callMessage("look", {}));
    const before = heard.length;
    server.gate.events.progress(id, { message: "second" });
    goOn.resolve("done");
    await listening;
    expect(heard.slice(before)).toEqual([]);
  },
);
