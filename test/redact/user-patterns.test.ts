import { Buffer } from "node:buffer";
import { expect, it } from "vitest";
import { redactorOf, streamed } from "./samples.ts";

const patterns = [{ name: "badge", pattern: "ACME-[0-9]{4}" }];

it.each(["on", "off"] as const)("a pattern is replaced everywhere, with our own rules %s", async (builtin) => {
  const redactor = await redactorOf({ patterns, builtin });
  expect(redactor.redactText("ACME-1234 ACME-123 ACME-9999\nACME-0000")).toEqual({
    text: "[REDACTED:badge] ACME-123 [REDACTED:badge]\n[REDACTED:badge]",
    found: [{ rule: "badge", count: 3 }],
  });
});

it("our own rules find nothing where they are off", async () => {
  const redactor = await redactorOf({ patterns, builtin: "off" });
  const text = "password=hunter2-and-more";
  expect(redactor.redactText(text)).toEqual({ text, found: [] });
  expect(redactor.redactJson({ password: "hunter2-and-more" }).value).toEqual({ password: "hunter2-and-more" });
});

it("a pattern sees one line, with its borders", async () => {
  const redactor = await redactorOf({ patterns: [{ name: "line", pattern: "^id [0-9]+$" }], builtin: "off" });
  expect(redactor.redactText("id 1\nid 2 x\r\nid 3").text).toBe("[REDACTED:line]\nid 2 x\r\n[REDACTED:line]");
});

it("a pattern sees characters where there is text, and bytes where there is none", async () => {
  const redactor = await redactorOf({
    patterns: [
      { name: "p", pattern: "ü.z" },
      { name: "q", pattern: "abc" },
    ],
    builtin: "off",
  });
  expect(redactor.redactText("süßz üßz").text).toBe("s[REDACTED:p] [REDACTED:p]");
  const broken = Buffer.concat([Buffer.from([0xff]), Buffer.from(" abc\nabc")]);
  expect(streamed(redactor, broken, [3]).toString("latin1")).toBe("\xff [REDACTED:q]\n[REDACTED:q]");
});

it("a pattern never matches in a marker", async () => {
  const redactor = await redactorOf({ patterns: [{ name: "caps", pattern: "[A-Z]{4,}" }], builtin: "off" });
  expect(redactor.redactText("ABCDE [REDACTED:OTHER]").text).toBe("[REDACTED:caps] [REDACTED:OTHER]");
});
