import { describe, expect, it } from "vitest";
import { loadConfig } from "../../src/config/config.ts";
import type { JsonObject } from "../../src/domain/json.ts";

const load = (acp: JsonObject, variables: Readonly<Record<string, string>> = {}) =>
  loadConfig({ path: null, value: { acp }, variables });
const said = (acp: JsonObject) => {
  const loaded = load(acp);
  return loaded.ok ? [] : loaded.problems.map(({ message }) => message);
};

describe("acp of the configuration", () => {
  it("asks about modes and drops the editor's servers where nothing is said", () => {
    const loaded = loadConfig({ path: null, value: {}, variables: {} });
    expect(loaded.ok && loaded.config.acp).toEqual({ agents: [], editorServers: "drop", modes: "ask" });
    const rule = loaded.ok ? loaded.config.rules.sources.find(({ id }) => id === "builtin:agent-modes") : null;
    expect(rule?.effect).toBe("ask");
  });

  it("names agents with their grants, and takes their keys for secrets", () => {
    const env = { KEY: { secret: "KEY" }, PLAIN: "x" };
    const grant = { connect: ["api.example.com:443"] };
    const loaded = load(
      { agents: { some: { command: "some", args: ["--acp"], env, grant } } },
      { KEY: "correct-horse-battery" },
    );
    if (!loaded.ok) throw new Error(JSON.stringify(loaded.problems));
    const [agent] = loaded.config.acp.agents;
    expect(agent).toMatchObject({
      name: "some",
      missing: [],
      grant: { read: [], write: [], connect: ["api.example.com:443"] },
    });
    expect(loaded.config.redactor.text("it is correct-horse-battery")).not.toContain("correct");
  });

  it("tells of a key that is not set, which puts one agent out of use", () => {
    const loaded = load({ agents: { some: { command: "some", env: { KEY: { secret: "KEY" } } } } });
    expect(loaded.ok && loaded.config.acp.agents[0]?.missing).toEqual(["KEY"]);
    expect(loaded.ok && loaded.config.notes.map(({ message }) => message).join()).toContain("the agent `some`");
  });

  it.each([
    [{ agents: { Some: { command: "x" } } }, "`Some` is no name for an agent"],
    [{ agents: { some: {} } }, "acp.agents.some"],
    [{ agents: { some: { command: "x", url: "https://x" } } }, "url"],
    [{ agents: { some: { command: "x", grant: { connect: ["a b"] } } } }, "a b"],
    [{ modes: "never" }, "modes"],
    [{ editorServers: true }, "editorServers"],
    [{ other: 1 }, "other"],
  ])("%j is refused", (acp, part) => {
    expect(said(acp as JsonObject).join("\n")).toContain(part);
  });
});
