import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it } from "vitest";
import { canonicalJson } from "../../../src/domain/canonical-json.ts";
import { Secret } from "../../../src/domain/secret.ts";
import type { RuleSource } from "../../../src/rules/rule.ts";
import { type HttpSpec, httpGovernor } from "../../../src/tools/governor/http-governor.ts";
import { lazyWeb } from "../../../src/wiring/lazy-network.ts";
import { handClock } from "../../support/hand-clock.ts";
import { redactorFor } from "../../support/redaction.ts";
import { NEVER } from "../../support/sample-calls.ts";
import { type GovernorScratch, openGovernorScratch, QUESTION } from "./governor-ports.ts";

interface Service extends AsyncDisposable {
  readonly url: string;
  readonly port: number;
  readonly requests: { readonly request: IncomingMessage; readonly body: string }[];
}

/** A service on a port of its own. */
async function openService(answer: (response: ServerResponse, request: IncomingMessage) => void): Promise<Service> {
  const requests: Service["requests"] = [];
  const listener: RequestListener = async (request, response) => {
    const chunks = await Array.fromAsync(request);
    requests.push({ request, body: Buffer.concat(chunks).toString() });
    answer(response, request);
  };
  const server = createServer((request, response) => void listener(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/ask`,
    port,
    requests,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const SECRET = "s3cret-of-the-gate";

const spec = (url: string, headers: HttpSpec["way"]["headers"] = {}): HttpSpec => ({
  ...{ id: "g", timeoutMs: 5000, requiresManual: false },
  way: { kind: "http", url, headers },
});

async function ask(
  given: HttpSpec,
  parts: Partial<GovernorScratch["parts"]> = {},
  rules: readonly RuleSource[] = [],
  signal = NEVER,
) {
  using scratch = openGovernorScratch(rules);
  const redactor = redactorFor({ TOKEN: SECRET });
  return await httpGovernor(given, { ...scratch.parts, redactor, ...parts }).ask(QUESTION, signal);
}

const json =
  (text: string, status = 200) =>
  (response: ServerResponse) =>
    void response.writeHead(status, { "content-type": "application/json" }).end(text);

const error = (message: RegExp) => ({ status: "error", messages: [expect.stringMatching(message)] });

describe("a service that is asked", () => {
  it("is sent the question as canonical JSON, with its headers, and says what it says", async () => {
    await using service = await openService(json('{"status":"needs_attention","messages":["hm"]}'));
    const headers = { "x-team": "blue", authorization: { prefix: "Bearer ", secret: new Secret(SECRET) } };
    expect(await ask(spec(service.url, headers))).toEqual({ status: "needs_attention", messages: ["hm"] });
    const [sent] = service.requests;
    expect(sent?.body).toBe(canonicalJson(QUESTION));
    expect(sent?.request.method).toBe("POST");
    expect(sent?.request.url).toBe("/ask");
    expect(sent?.request.headers).toMatchObject({
      "content-type": "application/json",
      "x-team": "blue",
      authorization: `Bearer ${SECRET}`,
    });
    expect(service.requests).toHaveLength(1);
  });

  it.each<[number, boolean]>([
    [200, true],
    [201, true],
    [299, true],
    [300, false],
    [304, false],
    [399, false],
    [400, false],
    [401, false],
    [500, false],
  ])("with the status %d is heard: %s", async (status, isHeard) => {
    await using service = await openService(json('{"status":"approve"}', status));
    expect((await ask(spec(service.url))).status).toBe(isHeard ? "approve" : "error");
  });

  it.each<[string, (response: ServerResponse) => void, RegExp]>([
    ["has trouble", json('{"status":"approve"}', 503), /^it answered with the status 503 \(see what it says of it\)$/],
    ["says nothing", json(""), /^its answer is empty \(send the answer as the body\)$/],
    ["says no JSON", json("<html>"), /its answer is no JSON/],
    ["has a status of its own", json('{"status":"ok"}'), /`status` of its answer must be one of/],
    ["hangs up", (response) => void response.destroy(), /^it ended the connection without an answer/],
  ])("is an error when it %s", async (_, answer, message) => {
    await using service = await openService(answer);
    expect(await ask(spec(service.url))).toEqual(error(message));
  });

  it("may say as much as the limit", async () => {
    const padded = (bytes: number) => {
      const [head, tail] = ['{"status":"approve","x":"', '"}'];
      return json(`${head}${"x".repeat(bytes - head.length - tail.length)}${tail}`);
    };
    await using inside = await openService(padded(1024 * 1024));
    expect(await ask(spec(inside.url))).toMatchObject({ status: "approve" });
    await using outside = await openService(padded(1024 * 1024 + 1));
    expect(await ask(spec(outside.url))).toEqual(error(/^its answer has more than 1048576 bytes/));
  });

  it("leads nowhere else", async () => {
    await using other = await openService(json('{"status":"approve"}'));
    await using service = await openService((response) => void response.writeHead(307, { location: other.url }).end());
    expect(await ask(spec(service.url))).toEqual(
      error(/^it answered with a redirect \(307\), which is not followed \(name its final address\)$/),
    );
    expect(other.requests).toEqual([]);
  });

  it("is an error where nobody listens", async () => {
    const service = await openService(json("{}"));
    await service[Symbol.asyncDispose]();
    expect(await ask(spec(service.url))).toEqual(error(/\(see that it runs, and that its `url` is right\)$/));
  });

  it("is not waited for longer than its time", async () => {
    const clock = handClock();
    await using service = await openService(() => clock.move(5000));
    expect(await ask(spec(service.url), { clock, web: lazyWeb(clock) })).toEqual(
      error(/^it gave no answer within 5000 ms \(make it faster, or raise its timeout\)$/),
    );
    expect(clock.waiting()).toBe(0);
  });

  it("is heard just before it is up", async () => {
    const clock = handClock();
    await using service = await openService((response) => {
      clock.move(4999);
      json('{"status":"approve"}')(response);
    });
    expect(await ask(spec(service.url), { clock, web: lazyWeb(clock) })).toMatchObject({ status: "approve" });
  });

  it("is not waited for when the call is stopped", async () => {
    const stop = new AbortController();
    await using service = await openService(() => stop.abort());
    expect(await ask(spec(service.url), {}, [], stop.signal)).toEqual(error(/the call was stopped/));
  });
});

describe("its secret", () => {
  const headers = { authorization: { prefix: "Bearer ", secret: new Secret(SECRET) } };

  it("does not come back in what it says", async () => {
    await using service = await openService((response, request) =>
      json(JSON.stringify({ status: "reject", messages: [request.headers.authorization], metadata: request.headers }))(
        response,
      ),
    );
    const says = await ask(spec(service.url, headers));
    expect(says.messages).toEqual(["Bearer [REDACTED:TOKEN]"]);
    expect(JSON.stringify(says)).not.toContain("s3cret");
  });

  it.each<[string, (response: ServerResponse, request: IncomingMessage) => void]>([
    ["a status", (response, request) => json(String(request.headers.authorization), 401)(response)],
    ["no JSON", (response, request) => json(String(request.headers.authorization))(response)],
    ["a wrong value", (response, request) => json(JSON.stringify({ status: request.headers.authorization }))(response)],
    [
      "a wrong name",
      (response, { headers: sent }) => json(`{"${sent.authorization}":1,"${sent.authorization}":2}`)(response),
    ],
    ["no answer", (response) => void response.destroy()],
  ])("nor in the error about %s", async (_, answer) => {
    await using service = await openService(answer);
    const says = await ask(spec(service.url, headers));
    expect(says.status).toBe("error");
    expect(service.requests[0]?.request.headers.authorization).toContain(SECRET);
    expect(JSON.stringify(says)).not.toContain("s3cret");
  });
});

describe("rules", () => {
  it("that deny the host, or would ask, are the stricter word", async () => {
    await using service = await openService(json('{"status":"approve"}'));
    for (const effect of ["deny", "ask"] as const)
      expect(
        await ask(spec(service.url), {}, [{ id: "x", effect, touch: { connect: [`127.0.0.1:${service.port}`] } }]),
      ).toEqual(error(new RegExp(`^a rule keeps \`127.0.0.1:${service.port}\` closed`)));
    expect(service.requests).toEqual([]);
  });

  it("need not allow what the operator has named", async () => {
    await using service = await openService(json('{"status":"approve"}'));
    const rules = [{ id: "x", effect: "deny", touch: { connect: ["other.example:*"] } }] as const;
    expect(await ask(spec(service.url), {}, rules)).toMatchObject({ status: "approve" });
  });
});
