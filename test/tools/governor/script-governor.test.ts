import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { digestOf } from "../../../src/domain/digest.ts";
import type { GovernorSays } from "../../../src/domain/feedback.ts";
import type { Sandbox } from "../../../src/ports/sandbox.ts";
import type { RuleSource } from "../../../src/rules/rule.ts";
import { type ScriptSpec, scriptGovernor } from "../../../src/tools/governor/script-governor.ts";
import { handClock } from "../../support/hand-clock.ts";
import { needs } from "../../support/parts.ts";
import { redactorFor } from "../../support/redaction.ts";
import { NEVER } from "../../support/sample-calls.ts";
import { type GovernorScratch, openGovernorScratch, QUESTION } from "./governor-ports.ts";

const NOTHING = { read: [], write: [], connect: [] };

const spec = (way: Partial<ScriptSpec["way"]> = {}): ScriptSpec => ({
  id: "g",
  timeoutMs: 5000,
  requiresManual: false,
  way: { kind: "script", command: ["./check.sh"], grant: NOTHING, ...way },
});

type Parts = Partial<GovernorScratch["parts"]>;

const ask = (scratch: GovernorScratch, way: Partial<ScriptSpec["way"]> = {}, parts: Parts = {}, signal = NEVER) =>
  scriptGovernor(spec(way), { ...scratch.parts, ...parts }).ask(QUESTION, signal);

/** What a script of bash says. */
async function said(body: string, way: Partial<ScriptSpec["way"]> = {}, parts: Parts = {}): Promise<GovernorSays> {
  using scratch = openGovernorScratch();
  scratch.put("check.sh", `#!/bin/bash\n${body}\n`);
  return await ask(scratch, way, parts);
}

const error = (message: RegExp) => ({ status: "error", messages: [expect.stringMatching(message)] });

needs("bwrap")("a program that is asked", () => {
  it("says what it says", async () =>
    expect(await said(`echo '{"status":"reject","messages":["no"],"score":1}'`)).toEqual({
      status: "reject",
      messages: ["no"],
      score: 1,
    }));

  it("reads the question as canonical JSON, whole, in the workspace", async () => {
    const body = `printf '{"status":"approve","metadata":{"dir":"%s","asked":' "$PWD"; cat; printf '}}'`;
    using scratch = openGovernorScratch();
    scratch.put("check.sh", `#!/bin/bash\n${body}\n`);
    const { metadata } = await ask(scratch);
    expect(metadata).toEqual({ dir: scratch.workspace, asked: QUESTION });
    scratch.put("check.sh", `#!/bin/bash\nprintf '{"status":"approve","messages":["%s"]}' "$(sha256sum)"\n`);
    expect((await ask(scratch)).messages).toEqual([`${digestOf(QUESTION)}  -`]);
  });

  it("need not read it", async () =>
    expect(await said(`exec 0<&-; echo '{"status":"approve"}'`)).toMatchObject({ status: "approve" }));

  it("gets its arguments as they are: there is no shell", async () => {
    const words = ["./check.sh", "a b", "$(touch x)", "*", ";exit 1"] as const;
    const { metadata } = await said(`printf '{"status":"approve","metadata":{"args":["%s","%s","%s","%s"]}}' "$@"`, {
      command: words,
    });
    expect(metadata).toEqual({ args: words.slice(1) });
  });

  it("may be one of PATH", async () =>
    expect(await said(`echo '{"status":"approve"}'`, { command: ["bash", "check.sh"] })).toMatchObject({
      status: "approve",
    }));

  it.each<[string, string, RegExp]>([
    [
      "fails",
      "echo '{\"status\":\"approve\"}'; echo 'out of luck' >&2; exit 3",
      /exit code 3: `out of luck` \(.*exits with 0\)/,
    ],
    ["is killed", "kill -9 $$", /ended with 137, as by SIGKILL/],
    ["prints nothing", "", /^it printed nothing \(print the answer to stdout\)$/],
    ["prints only space", "echo", /its answer is no JSON/],
    ["prints no JSON", "echo fine", /its answer is no JSON: .* at 1:\d+ \(it answers with one JSON object/],
    ["prints more after it", "echo '{\"status\":\"approve\"}'; echo '{}'", /its answer is no JSON: .* at 2:1/],
    ["prints what is no UTF-8", 'printf \'{"status":"approve","x":"\\xff"}\'', /bytes that are not UTF-8/],
    ["has a status of its own", 'echo \'{"status":"yes"}\'', /`status` of its answer must be one of/],
    ["prints for ever", "yes", /^it printed more than 1048576 bytes \(print the answer and nothing else\)$/],
  ])("is an error when it %s", async (_, body, message) => expect(await said(body)).toEqual(error(message)));

  it("may print as much as the limit", async () => {
    const padded = (bytes: number) =>
      `printf '{"status":"approve","x":"'; head -c ${bytes - '{"status":"approve","x":""}'.length} /dev/zero | tr '\\0' x; printf '"}'`;
    expect(await said(padded(1024 * 1024))).toMatchObject({ status: "approve" });
    expect(await said(padded(1024 * 1024 + 1))).toEqual(error(/more than 1048576 bytes/));
  });

  it("is an error where it is not there", async () => {
    using scratch = openGovernorScratch();
    expect(await ask(scratch)).toEqual(
      error(/^there is no program `\.\/check\.sh` \(install it, or correct `command`\)$/),
    );
    expect(await ask(scratch, { command: ["no-such-program"] })).toEqual(
      error(/there is no program `no-such-program`/),
    );
  });

  it("is stopped when its time is up", async () => {
    const clock = handClock();
    using scratch = openGovernorScratch();
    scratch.put("check.sh", "#!/bin/bash\ntrap '' TERM\nwhile :; do sleep 60; done\n");
    const sandbox: Sandbox = {
      ...scratch.parts.sandbox,
      start: (command, signal) => {
        const program = scratch.parts.sandbox.start(command, signal);
        clock.move(4999);
        expect(signal.aborted).toBe(false);
        setImmediate(() => clock.move(1));
        return program;
      },
    };
    expect(await ask(scratch, {}, { clock, sandbox })).toEqual(
      error(/^it gave no answer within 5000 ms \(.*timeout\)$/),
    );
    expect(clock.waiting()).toBe(0);
  });

  it("is stopped with the call", async () => {
    const stop = new AbortController();
    using scratch = openGovernorScratch();
    scratch.put("check.sh", "#!/bin/bash\nsleep infinity\n");
    const sandbox: Sandbox = {
      ...scratch.parts.sandbox,
      start: (command, signal) => {
        setImmediate(() => stop.abort());
        return scratch.parts.sandbox.start(command, signal);
      },
    };
    expect(await ask(scratch, {}, { sandbox }, stop.signal)).toEqual(
      error(/not heard to the end \(the call was stopped\)/),
    );
  });

  it("has its words redacted, and then cut", async () => {
    const secret = "s3cret-of-the-gate";
    const text = `${"x".repeat(990)}${secret}`;
    const says = await said(
      `echo '{"status":"reject","messages":["${text}","${secret}"],"metadata":{"said":"${secret}"}}'`,
      {},
      { redactor: redactorFor({ TOKEN: secret }) },
    );
    expect(JSON.stringify(says)).not.toContain("s3cret");
    expect(says.messages[1]).toBe("[REDACTED:TOKEN]");
    expect(await said(`echo ${secret} >&2; exit 1`, {}, { redactor: redactorFor({ TOKEN: secret }) })).toEqual(
      error(/\[REDACTED:TOKEN\]/),
    );
  });
});

needs("bwrap")("what it may do", () => {
  const TRIES = [
    "echo x 2>/dev/null > made && wrote=yes",
    "(exec 3<>/dev/tcp/127.0.0.1/$1) 2>/dev/null && connected=yes",
    "read=$(cat a.txt 2>/dev/null)",
    "outside=$(cat $2 2>/dev/null)",
    `printf '{"status":"approve","metadata":{"wrote":"%s","connected":"%s","read":"%s","outside":"%s"}}' "$wrote" "$connected" "$read" "$outside"`,
  ].join("\n");

  async function tried(grant: Partial<ScriptSpec["way"]["grant"]>, rules: readonly RuleSource[] = []) {
    using scratch = openGovernorScratch(rules);
    using other = openGovernorScratch();
    other.put("b.txt", "theirs");
    scratch.put("a.txt", "ours");
    scratch.put("check.sh", `#!/bin/bash\n${TRIES}\n`);
    const outside = join(other.workspace, "b.txt");
    const given = { ...NOTHING, ...grant };
    const read = given.read.map((text) => (text === "OUTSIDE" ? outside : text));
    const says = await ask(scratch, { command: ["./check.sh", "9", outside], grant: { ...given, read } });
    const made = join(scratch.workspace, "made");
    return { ...(says.metadata ?? { says }), made: existsSync(made) ? readFileSync(made, "utf8") : null };
  }

  const NONE = { wrote: "", connected: "", read: "ours", outside: "", made: null };

  it("by itself it reads the workspace, and no more", async () => expect(await tried({})).toEqual(NONE));

  it("what it is granted", async () => {
    expect(await tried({ write: ["./**"] })).toEqual({ ...NONE, wrote: "yes", made: "x\n" });
    expect(await tried({ read: ["OUTSIDE"] })).toEqual({ ...NONE, outside: "theirs" });
  });

  it("not what a rule denies", async () => {
    const deny = { id: "closed", effect: "deny", touch: { read: ["./a.txt"], write: ["./made"] } } as const;
    // It can make a file that was not there, and the file is gone when its answer is taken.
    expect(await tried({ write: ["./**"] }, [deny])).toEqual({ ...NONE, wrote: "yes", read: "", made: null });
  });

  it("it connects only where it was granted", async () => {
    using scratch = openGovernorScratch();
    const body = `[[ -n $http_proxy ]] && echo '{"status":"approve","messages":["a way out"]}' || echo '{"status":"approve"}'`;
    scratch.put("check.sh", `#!/bin/bash\n${body}\n`);
    expect((await ask(scratch)).messages).toEqual([]);
    expect((await ask(scratch, { grant: { ...NOTHING, connect: ["a.example:80"] } })).messages).toEqual(["a way out"]);
  });

  it("is an error where a way out can't be opened", async () => {
    using scratch = openGovernorScratch();
    scratch.put("check.sh", `#!/bin/bash\necho '{"status":"approve"}'\n`);
    const network = { open: () => Promise.reject(new Error("no way")) };
    const grant = { ...NOTHING, connect: ["a.example:80"] };
    expect(await ask(scratch, { grant }, { network })).toEqual(error(/^it can't be asked: `no way`/));
  });

  it("is an error where a rule can't be decided beforehand", async () => {
    const when = {
      id: "perhaps",
      effect: "deny",
      touch: { write: ["./**"] },
      when: "touch.path.endsWith('x')",
    } as const;
    using scratch = openGovernorScratch([when]);
    scratch.put("check.sh", `#!/bin/bash\necho '{"status":"approve"}'\n`);
    expect(await ask(scratch, { grant: { ...NOTHING, write: ["./**"] } })).toEqual(
      error(/^the rule `perhaps` can't be decided for all that it was granted \(grant less\)$/),
    );
    expect(await ask(scratch)).toMatchObject({ status: "approve" });
  });
});

describe("without a sandbox", () => {
  it("is an error, and nothing is started", async () => {
    using scratch = openGovernorScratch();
    scratch.put("check.sh", "#!/bin/bash\ntouch ran\n");
    const missing = () => ({ code: "SANDBOX_UNAVAILABLE", message: "there is no bwrap", hint: "install it" }) as const;
    const says = await ask(scratch, {}, { sandbox: { ...scratch.parts.sandbox, missing } });
    expect(says).toEqual({ status: "error", messages: ["there is no bwrap (install it)"] });
    expect(existsSync(join(scratch.workspace, "ran"))).toBe(false);
  });
});
