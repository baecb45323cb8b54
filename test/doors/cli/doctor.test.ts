import { expect, it } from "vitest";
import { needs } from "../../support/parts.ts";
import { openCli } from "../../support/run-cli.ts";

needs("bwrap", "prlimit")("toolgate doctor", () => {
  it("says what holds here, and exits with 0 where that is what is wanted", async () => {
    using cli = openCli("sandbox: { contained: [run_command] }\n");
    const { code, out } = await cli.run(["doctor"]);
    expect(code).toBe(0);
    expect(out).toMatch(/^sandbox namespaces, user \w+, tasks by \w+, memory by \w+; wanted: namespaces\n/);
    expect(out).toContain("wanted for run_command: namespaces\n");
    expect(out).toMatch(/\n(\d+) of \1 held; what is wanted holds\n$/);
  });

  it("is told apart from a machine where it does not", async () => {
    using cli = openCli("sandbox: { minimum: namespaces }\n");
    const { code, out } = await cli.run(["doctor"], { env: { PATH: "/nosuch" } });
    expect([code, out]).toEqual([1, expect.stringContaining("no program can be started")]);
    const told = await cli.run(["doctor", "--json"], { env: { PATH: "/nosuch" } });
    expect(JSON.parse(told.out)).toMatchObject({ isMet: false, fault: { code: "SANDBOX_UNAVAILABLE" } });
  });

  it("names each gap with what closes it", async () => {
    using cli = openCli("sandbox: { minimum: none }\n");
    const { code, out } = await cli.run(["doctor"], { env: { PATH: "/nosuch" } });
    expect(code).toBe(0);
    expect(out).toMatch(/escaped write outside\n\s+mount less/);
  });
});
