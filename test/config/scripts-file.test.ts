// biome-ignore-all lint/suspicious/noTemplateCurlyInString: it is bash, and no JavaScript

import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { loadConfig } from "../../src/config/config.ts";
import { withSharedData } from "../support/parts.ts";

function loaded(files: Readonly<Record<string, string>>, scripts = ["tools.yaml"], variables = {}) {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "toolgate-scripts-")));
  try {
    writeFileSync(join(folder, "toolgate.yaml"), JSON.stringify({ tools: { scripts } }));
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
    return loadConfig({ path: join(folder, "toolgate.yaml"), variables });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const problemsOf = (text: string) => {
  const config = loaded({ "tools.yaml": text });
  return config.ok
    ? []
    : config.problems.map(({ file, line, message, hint }) => ({ file: file.split("/").at(-1), line, message, hint }));
};

describe("`data_for` is the author's word", () => {
  const tool = (script: string, more: string): string =>
    `tools:\n  a:\n    script: ${JSON.stringify(script)}\n    parameters: [{ name: x }]\n${more}`;

  it("that a program which no table knows takes values for data", () => {
    expect(problemsOf(tool("mytool {{x}}", ""))).toMatchObject([
      { line: 3, message: expect.stringContaining("nothing is known here of `mytool`"), hint: expect.any(String) },
    ]);
    expect(problemsOf(tool("mytool {{x}}", "    data_for: [mytool]\n"))).toEqual([]);
    expect(problemsOf(tool("./mytool {{x}}", ""))).toEqual([]);
  });

  it("and of no other: what is known holds", () => {
    for (const name of ["bash", "python3", "cat", "make", "gawk", "./mytool", ""])
      expect(problemsOf(tool("echo {{x}}", `    data_for: ["${name}"]\n`))).toMatchObject([{ line: 5 }]);
    expect(problemsOf(tool("git -C {{x}} status", "    data_for: [git]\n"))).toEqual([]);
    expect(problemsOf(tool("git -c {{x}} status", "    data_for: [git]\n"))).toMatchObject([{ line: 3 }]);
  });
});

describe("a mistake in `tools.yaml`", () => {
  const cases: readonly (readonly [string, string, number, RegExp])[] = [
    ["no script", "tools:\n  a:\n    name: A\n", 3, /`script`/],
    ["an unknown key", "tools:\n  a:\n    script: echo\n    scrpt: x\n", 4, /`scrpt`/],
    ["an unknown key of the sandbox", "tools:\n  a:\n    script: echo\n    sandbox:\n      timout: 3\n", 5, /timout/],
    ["an unknown key of the file", "tolls: {}\n", 1, /tolls|tools/],
    ["a version that there is not", "version: 2\ntools: {}\n", 1, /version/],
    ["a wrong type", "tools:\n  a:\n    script: echo\n    sandbox:\n      timeout: soon\n", 5, /timeout/],
    [
      "a limit that is none",
      "tools:\n  a:\n    script: echo\n    sandbox:\n      max_processes: 0\n",
      5,
      /max_processes/,
    ],
    ["a name that can't be one", "tools:\n  'a b':\n    script: echo\n", 2, /a b/],
    [
      "a slot that nobody declared",
      "tools:\n  a:\n    script: |\n      echo one\n      echo {{x}}\n",
      5,
      /`\{\{x\}\}` is no parameter/,
    ],
    [
      "a slot in an unsafe place",
      "tools:\n  a:\n    script: |\n      echo one\n      eval {{x}}\n    parameters: [{name: x}]\n",
      5,
      /`\{\{x\}\}` can't stand here/,
    ],
    ["braces that mean nothing", "tools:\n  a:\n    script: |\n      echo {{x|upper}}\n", 4, /no part of a template/],
    ["bash that is none", "tools:\n  a:\n    script: |\n      if true; then\n", 4, /bash could not read/],
    ["another interpreter", "tools:\n  a:\n    script: |\n      #!/usr/bin/python3\n      print(1)\n", 3, /python3/],
    [
      "a command that is not allowed",
      "tools:\n  a:\n    script: |\n      cat f\n      head -1 f\n    sandbox: {allowed_commands: [cat]}\n",
      5,
      /`head`.*allowed_commands/,
    ],
    [
      "a parameter twice",
      "tools:\n  a:\n    script: echo\n    parameters:\n      - name: x\n      - name: x\n",
      6,
      /twice/,
    ],
    [
      "a parameter by a section's name",
      "tools:\n  a:\n    script: echo\n    parameters:\n      - name: key\n",
      5,
      /`key` is reserved for the sections/,
    ],
    [
      "a parameter without a name",
      "tools:\n  a:\n    script: echo\n    parameters:\n      - type: string\n",
      5,
      /name/,
    ],
    ["limits of a text", "tools:\n  a:\n    script: echo\n    parameters: [{name: x, minimum: 1}]\n", 4, /number/],
    [
      "a pattern of a number",
      "tools:\n  a:\n    script: echo\n    parameters: [{name: x, type: number, pattern: a}]\n",
      4,
      /string/,
    ],
    [
      "a limit twice",
      "tools:\n  a:\n    script: echo\n    sandbox:\n      max_processes: 3\n      resource_limits:\n        max_processes: 4\n",
      7,
      /given twice/,
    ],
    [
      "an exit code that is none",
      "tools:\n  a:\n    script: echo\n    error_mapping:\n      '0': -32000\n",
      5,
      /exit code/,
    ],
    [
      "a mapping without a code",
      "tools:\n  a:\n    script: echo\n    error_mapping:\n      '1': {message: m}\n",
      5,
      /code/,
    ],
    [
      "structured detail under acp-basic",
      "tools:\n  a:\n    script: echo\n    error_mapping:\n      '1': {code: -1, detail: {a: 1}}\n",
      5,
      /acp-basic/,
    ],
    [
      "a detail with a slot that nobody declared",
      "tools:\n  a:\n    script: echo\n    error_mapping:\n      '1': {code: -1, detail: 'no {{path}}'}\n",
      5,
      /path/,
    ],
    [
      "a secret that is not set",
      "tools:\n  a:\n    script: echo\n    sandbox:\n      environment_variables:\n        KEY: '${secret:NOT_THERE}'\n",
      6,
      /NOT_THERE/,
    ],
    [
      "a key template with an undeclared slot",
      "tools:\n  a:\n    script: echo\n    caching: {enabled: true, key_template: '{{url}}'}\n",
      4,
      /url/,
    ],
  ];
  for (const [name, text, line, message] of cases) {
    it(`names file, line and key: ${name}`, () => {
      const problems = problemsOf(text);
      expect(problems[0]).toMatchObject({ file: "tools.yaml", line });
      expect(problems[0]?.message).toMatch(message);
    });
  }

  it("makes nothing of the file active, and all of them are told at once", () => {
    const text = "tools:\n  good: {script: echo}\n  a: {script: 'echo {{x}}'}\n  b: {script: 'echo {{y}}'}\n";
    expect(problemsOf(text)).toHaveLength(2);
  });

  it("in one file is no tool twice, unless the later one says so", () => {
    const one = "tools: {a: {script: echo one}}\n";
    const two = "tools: {a: {script: echo two}}\n";
    const over = "tools: {a: {script: echo two, override: true}}\n";
    const twice = loaded({ "1.yaml": one, "2.yaml": two }, ["1.yaml", "2.yaml"]);
    expect(twice.ok ? [] : twice.problems.map(({ message }) => message)).toEqual([
      "a tool called `a` is in an earlier file",
    ]);
    const overridden = loaded({ "1.yaml": one, "2.yaml": over }, ["1.yaml", "2.yaml"]);
    expect(overridden.ok && overridden.config.scripts.map(({ script }) => script)).toEqual(["echo two"]);
  });

  it("of the name of a file is one of the config", () => {
    const missing = loaded({}, ["gone.yaml"]);
    expect(missing.ok ? [] : missing.problems).toMatchObject([
      { line: 1, message: "the tools in `gone.yaml`: there is no such file" },
    ]);
  });
});

describe("what holds where nothing is said", () => {
  it("is what the seed says", () => {
    const config = loaded({
      "tools.yaml":
        "version: 1\ntools: {a: {script: echo, retry: {}, circuit_breaker: {}, caching: {enabled: true}}}\n",
    });
    expect(config.ok && config.config.scripts[0]).toMatchObject({
      title: "a",
      version: "1.0.0",
      sandbox: { timeoutMs: 30_000, workingDirectory: "/tmp", tempIsolation: true, requiresConfirmation: false },
      retry: { attempts: 3, backoff: "exponential", multiplier: 2, firstDelayMs: 1000, maxDelayMs: 30_000 },
      breaker: { failureThreshold: 5, recoveryMs: 60_000, monitoringMs: 30_000 },
      caching: { ttlMs: 300_000, maxEntries: 1000, keyTemplate: null },
    });
  });

  it("does not cache what says that it must not be repeated", () => {
    const text =
      "tools: {a: {script: echo, caching: {enabled: true}, effects: {idempotent: false}}, b: {script: echo, caching: {ttl: 3}}}\n";
    const config = loaded({ "tools.yaml": text });
    expect(config.ok && config.config.scripts.map(({ caching }) => caching)).toEqual([null, null]);
  });
});

withSharedData("a2a-acp")("the files of A2A-ACP", (folder) => {
  const read = (name: string) => {
    const config = loadConfig({ path: null, variables: {} });
    expect(config.ok).toBe(true);
    const place = realpathSync(mkdtempSync(join(tmpdir(), "toolgate-a2a-")));
    try {
      writeFileSync(join(place, "toolgate.yaml"), JSON.stringify({ tools: { scripts: [join(folder, name)] } }));
      const found = loadConfig({ path: join(place, "toolgate.yaml"), variables: {} });
      return found.ok ? [] : found.problems.map(({ line, message, hint }) => ({ line, message, hint }));
    } finally {
      rmSync(place, { recursive: true, force: true });
    }
  };

  const expected: readonly (readonly [string, readonly (readonly [number, RegExp])[]])[] = [
    [
      "tools.yaml",
      [
        [79, /`head`, which is not in `allowed_commands`/],
        [153, /`\{\{query\}\}`.*`sqlite3` reads it as code/],
      ],
    ],
    [
      "tools.codex.yaml",
      [
        [31, /`\{\{\.\}\}`.*the command's own name/],
        [284, /`\{\{content\}\}`.*quoted delimiter/],
        [340, /`\{\{patch\}\}`.*quoted delimiter/],
      ],
    ],
    [
      "tools.gemini.yaml",
      [
        [31, /`\{\{\.\}\}`.*the command's own name/],
        [284, /`\{\{content\}\}`.*quoted delimiter/],
        [340, /`\{\{patch\}\}`.*quoted delimiter/],
      ],
    ],
  ];
  for (const [name, places] of expected) {
    it(`are read, and what is unsafe in them is refused with its place and what to do: ${name}`, () => {
      const problems = read(name);
      expect(problems.map(({ line }) => line)).toEqual(places.map(([line]) => line));
      for (const [index, [, message]] of places.entries()) expect(problems[index]?.message).toMatch(message);
      for (const { hint } of problems) expect(hint).toBeTruthy();
    });
  }
});
