import { Buffer } from "node:buffer";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { ENCODINGS } from "../../redact/leaks.ts";
import { needs } from "../../support/parts.ts";
import { openCli } from "../../support/run-cli.ts";
import { openTerminal } from "../../support/typed-terminal.ts";
import { CONFIG } from "./configs.ts";

const SECRET = 'pa55/w+rd "q" & <x>=';
const env = { DEPLOY_KEY: SECRET };
const WITH_SECRET = `${CONFIG}secrets: [{ env: DEPLOY_KEY }]\n`;
const forms = ENCODINGS.map(({ encode }) => encode("", SECRET, "").own);

function expectNoSecretIn(...texts: readonly string[]): void {
  for (const text of texts) for (const form of forms) expect(text.includes(form), form).toBe(false);
}

const bytesBelow = (folder: string): string =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile())
    .map((path) => readFileSync(path, "latin1"))
    .join("\n");

it("A21: nothing of a configured secret leaves by the command line or stays in the state", async () => {
  using cli = openCli(WITH_SECRET);
  const all = ENCODINGS.map(({ encode }) => encode("<", SECRET, ">").text).join("\n");
  cli.put("a.txt", all);
  cli.put("big.txt", `${all}\n`.repeat(6000));
  const said = [
    await cli.run(["call", "read_file", '{"path":"a.txt"}'], { env }),
    await cli.run(["call", "read_file", '{"path":"big.txt"}', "--json"], { env }),
    await cli.run(["call", "write_file", JSON.stringify({ path: "b.txt", content: SECRET }), "--yes"], { env }),
    await cli.run(["call", "read_file", JSON.stringify({ path: `/etc/${SECRET}` })], { env }),
    await cli.run(["call", SECRET], { env }),
    await cli.run(["explain", "write_file", JSON.stringify({ path: SECRET, content: SECRET })], { env }),
    await cli.run(["explain", "write_file", JSON.stringify({ path: SECRET, content: SECRET }), "--json"], { env }),
    await cli.run(["explain", SECRET], { env }),
    await cli.run(["ledger", "show"], { env }),
    await cli.run(["ledger", "export"], { env }),
  ];
  expect(said.map(({ code }) => code)).toEqual([0, 0, 0, 3, 3, 0, 0, 0, 0, 0]);
  expectNoSecretIn(...said.flatMap(({ out, err }) => [out, err]));
  for (const { out, err } of said.slice(0, 2)) expect(out + err).toContain("[REDACTED:DEPLOY_KEY]");
  expect(cli.text("b.txt")).toBe(SECRET);
  expect(readdirSync(cli.stateDir)).toContain("blobs");
  expectNoSecretIn(bytesBelow(cli.stateDir));
});

needs("script")("a question in the terminal", () => {
  it("shows all of the plan, with the secret's name in its place", async () => {
    using cli = openCli(WITH_SECRET);
    const content = `first\n${SECRET}\n${Buffer.from(SECRET).toString("hex")} last`;
    const terminal = openTerminal(cli, ["call", "write_file", JSON.stringify({ path: "b.txt", content })], { env });
    await terminal.shows("run it?");
    terminal.types("y\r");
    const { code, screen } = await terminal.ended;
    expect(code).toBe(0);
    expectNoSecretIn(screen);
    expect(screen.match(/\[REDACTED:DEPLOY_KEY\]/g)?.length).toBe(2);
    expect(screen).toContain("last");
    expect(cli.text("b.txt")).toBe(content);
  });
});

it("a variable that is not set allows nothing, and says where it is asked for", async () => {
  using cli = openCli(WITH_SECRET);
  const { code, err } = await cli.run(["call", "read_file", '{"path":"a"}']);
  expect(code).toBe(3);
  expect(err).toMatch(/CONFIG_INVALID[\s\S]*toolgate\.yaml:5:\d+: the variable `DEPLOY_KEY` is not set/);
});
