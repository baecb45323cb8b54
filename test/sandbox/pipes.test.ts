import { chmodSync, closeSync, openSync, readSync, writeSync } from "node:fs";
import { expect, it } from "vitest";
import { openPipe } from "../../src/sandbox/pipes.ts";
import { openDescriptors } from "../files/scratch.ts";

const MKFIFO = "/usr/bin/mkfifo";

function textIn(fd: number): string {
  const bytes = Buffer.alloc(64);
  return bytes.toString("utf8", 0, readSync(fd, bytes));
}

it("passes on what is written, and ends when the writing end is closed", () => {
  const pipe = openPipe(MKFIFO);
  writeSync(pipe.end("write"), "text");
  pipe.close("write");
  expect([textIn(pipe.end("read")), textIn(pipe.end("read"))]).toEqual(["text", ""]);
  pipe.recycle();
});

it("can be opened once more by its descriptor, as programs open `/dev/stdout`", () => {
  const pipe = openPipe(MKFIFO);
  const again = openSync(`/proc/self/fd/${pipe.end("write")}`, "a");
  writeSync(again, "text");
  closeSync(again);
  expect(textIn(pipe.end("read"))).toBe("text");
  pipe.recycle();
});

it("is used again, empty, and takes no new descriptors", () => {
  openPipe(MKFIFO).recycle();
  const before = openDescriptors();
  for (let i = 0; i < 100; i++) {
    const pipe = openPipe(MKFIFO);
    writeSync(pipe.end("write"), `text ${i}`);
    expect(textIn(pipe.end("read"))).toBe(`text ${i}`);
    writeSync(pipe.end("write"), "not read");
    pipe.recycle();
  }
  expect(openDescriptors()).toBe(before);
});

it.each(["read", "write"] as const)("is given to no other program while somebody has its %s end", (which) => {
  const pipe = openPipe(MKFIFO);
  const left = openSync(`/proc/self/fd/${pipe.end(which)}`, which === "read" ? "r" : "a");
  pipe.recycle();
  const others = Array.from({ length: 40 }, () => openPipe(MKFIFO));
  try {
    for (const other of others) {
      writeSync(other.end("write"), "own");
      expect(textIn(other.end("read"))).toBe("own");
    }
  } finally {
    closeSync(left);
    for (const other of others) other.recycle();
  }
});

it("is opened also after a program took away all rights", () => {
  const pipe = openPipe(MKFIFO);
  chmodSync(`/proc/self/fd/${pipe.end("write")}`, 0);
  pipe.recycle();
  openPipe(MKFIFO).recycle();
});
