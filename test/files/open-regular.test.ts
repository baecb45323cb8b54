import { execFileSync } from "node:child_process";
import { existsSync, symlinkSync } from "node:fs";
import { createServer, type Server } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openRegular } from "../../src/files/open-regular.ts";
import { codeOf, openScratch, type Scratch, unsafeChecked, WHOLE } from "./scratch.ts";

let scratch: Scratch;
let server: Server;

beforeAll(async () => {
  scratch = openScratch();
  const at = (name: string) => join(scratch.workspace, name);
  scratch.put("dir/a.txt");
  execFileSync("sh", ["-c", 'mkfifo "$1"', "sh", at("fifo")]); // Node can't make a pipe with a name
  server = createServer();
  await new Promise<void>((resolve) => server.listen(at("socket"), resolve));
  symlinkSync("/dev/zero", at("to-zero"));
  symlinkSync("fifo", at("to-fifo"));
  symlinkSync(`/proc/${process.pid}/environ`, at("to-environ"));
});

afterAll(() => {
  server.close();
  scratch[Symbol.dispose]();
});

/** A17. A test that hangs is one that opened a pipe or read a device without end. */
const SPECIAL: string[] = [
  "fifo",
  "to-fifo",
  "socket",
  "dir",
  "/",
  "to-zero",
  "to-environ",
  "/dev/zero",
  "/dev/null",
  "/dev/full",
  "/dev/urandom",
  "/dev/tty",
  "/dev/ptmx",
  "/dev/pts",
  "/proc/1/environ",
  `/proc/${process.pid}/environ`,
  `/proc/${process.pid}/mem`,
  `/proc/${process.pid}/maps`,
  "/proc/kcore",
  "/proc/kmsg",
  "/proc/version",
  "/proc/sys/kernel/hostname",
  "/sys/kernel/uevent_seqnum",
];

describe("special files", () => {
  it.each(SPECIAL)("%s is neither read, hashed nor replaced", async (rawPath) => {
    const located = await scratch.files.locate(rawPath);
    if (!located.ok) throw new Error(located.fault.message);
    const { path, kind } = located.value;
    const expected = existsSync(path) ? "NOT_REGULAR_FILE" : "FILE_NOT_FOUND"; // containers hide /proc/kcore
    expect(kind).not.toBe("file");
    expect(codeOf(await scratch.files.read(path, WHOLE))).toBe(expected);
    if (kind === "absent") return;
    expect(codeOf(await scratch.files.digest(path))).toBe(expected);
    expect(codeOf(await scratch.write(path, new Uint8Array(1), null))).toBe(expected);
  });

  it.each(["/proc/self/mem", "/proc/self/environ", "/proc/thread-self/environ", "/proc/mounts"])(
    "%s is refused for the link in it",
    async (rawPath) => {
      expect(codeOf(await scratch.files.locate(rawPath))).toBe("PATH_INVALID");
    },
  );

  it("are refused under a path that nobody checked as well", async () => {
    expect(codeOf(await openRegular(unsafeChecked(`/proc/${process.pid}/environ`), "`x`"))).toBe("NOT_REGULAR_FILE");
    expect(codeOf(await openRegular(unsafeChecked("/proc/self/environ"), "`x`"))).toBe("CONFLICT");
  });
});

describe("openRegular", () => {
  it("opens a regular file, and says null where there is none", async () => {
    await using file = await opened("dir/a.txt");
    expect(file?.stats.size).toBe(9n);
    expect(await opened("dir/nosuch")).toBeNull();
  });

  it.each(["a.txt", "", "/srv/../etc/passwd", "/srv/./a", "/srv//a", "/srv/a/", "/srv/a\0"])(
    "refuses %j, which no locate gave out",
    async (path) => {
      expect(codeOf(await openRegular(unsafeChecked(path), "`x`"))).toBe("PATH_INVALID");
    },
  );
});

async function opened(path: string) {
  const result = await openRegular(unsafeChecked(join(scratch.workspace, path)), "`x`");
  if (!result.ok) throw new Error(result.fault.message);
  return result.value;
}
