import { describe, expect, it } from "vitest";
import { ENCODINGS, SECRETS } from "./leaks.ts";
import { namedSecrets, redactorOf } from "./samples.ts";

const SHORT_SECRETS = Object.entries(SECRETS).filter(([, value]) => value.length < 100);

const redactor = await redactorOf({ secrets: namedSecrets(SECRETS) });

function told(messages: readonly string[]): readonly string[] {
  const stream = redactor.redactMessages();
  return [...messages.map((message) => stream.push(message)), stream.end()].filter((text) => text !== null);
}

describe("messages", () => {
  it.each(SHORT_SECRETS)("A21: %s is found at every border between two of them, in each encoding", (_, secret) => {
    for (const { encode, name } of ENCODINGS) {
      const { text, own } = encode("<", secret, ">");
      for (let at = 1; at < text.length; at++) {
        const out = told([text.slice(0, at), text.slice(at)]).join("");
        const flat = out.replace(/[\r\n]/g, "");
        for (let from = 0; from + 8 <= own.length; from++) {
          const part = own.replace(/[\r\n]/g, "").slice(from, from + 8);
          if (part.length === 8 && flat.includes(part)) expect.fail(`${name}, cut at ${at}: ${part} in ${out}`);
        }
      }
    }
  });

  it("are found as lines of their own, too", () => {
    const secret = SECRETS["ALNUM"] as string;
    const out = told([secret.slice(0, 20), secret.slice(20)]);
    expect(out.join("")).toBe("[REDACTED:ALNUM]");
  });

  it("come at once where no secret has begun", () => {
    const lines = ["compiling", "linking", "ghp_ is no token", ""];
    expect(told(lines)).toEqual(lines);
  });

  it("wait only with six bytes of a secret, and come in the end", () => {
    const head = (SECRETS["ALNUM"] as string).slice(0, 6);
    expect(told([`see ${head.slice(0, 5)}`, "x"])).toEqual([`see ${head.slice(0, 5)}`, "x"]);
    expect(told([`see ${head}`])).toEqual(["see ", head]);
    expect(told([`see ${head}`, " x"])).toEqual(["see ", `${head}\n x`]);
  });

  it("lose what looks like a secret by itself", () =>
    expect(told(["password=hunter2-and-more"])).toEqual(["password=[REDACTED:password]"]));

  it("without secrets nothing waits", async () => {
    const stream = (await redactorOf()).redactMessages();
    expect([stream.push("a"), stream.end()]).toEqual(["a", null]);
  });
});
