import { Buffer } from "node:buffer";
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { seccompFilter } from "../../src/sandbox/seccomp-filter.ts";
import {
  ABSENT_CALLS,
  type Architecture,
  architectureOf,
  DENIED_CALLS,
  TRACING_CALLS,
} from "../../src/sandbox/syscalls.ts";
import { openScratch, unwrap } from "../files/scratch.ts";
import { needs } from "../support/parts.ts";
import { ran, realSandbox, scripted } from "./real-sandbox.ts";

const ALLOW = 0x7fff0000;
const EPERM = 0x00050001;
const ENOSYS = 0x00050026;
const KILL = 0x80000000;

/** Runs the filter as the kernel would. */
function verdict(filter: Buffer, audit: number, number: number, args: readonly number[] = []): number {
  const data = Buffer.alloc(64);
  data.writeUInt32LE(number >>> 0, 0);
  data.writeUInt32LE(audit, 4);
  for (const [index, value] of args.entries()) data.writeUInt32LE(value >>> 0, 16 + 8 * index);
  let accumulator = 0;
  for (let at = 0; ; at++) {
    const [code, yes, no, constant] = [
      filter.readUInt16LE(at * 8),
      filter.readUInt8(at * 8 + 2),
      filter.readUInt8(at * 8 + 3),
      filter.readUInt32LE(at * 8 + 4),
    ];
    if (code === 0x06) return constant;
    if (code === 0x20) accumulator = data.readUInt32LE(constant);
    else if (code === 0x05) at += constant;
    else if (code === 0x15) at += accumulator === constant ? yes : no;
    else if (code === 0x35) at += accumulator >= constant ? yes : no;
    else if (code === 0x45) at += (accumulator & constant) !== 0 ? yes : no;
    else throw new Error(`opcode ${code} at ${at}`);
  }
}

const [O_WRONLY, O_CREAT, O_TMPFILE, O_DIRECTORY] = [0o1, 0o100, 0o20200000, 0o200000];

const NUMBERS = Array.from({ length: 1024 }, (_, number) => number);

describe.each(["x64", "arm64"])("the filter for %s", (name) => {
  const architecture = architectureOf(name) as Architecture;
  const { audit, numbers } = architecture;
  const filter = seccompFilter(architecture, { unixSockets: "deny", tracing: "deny" });
  const says = (number: number, ...args: number[]) => verdict(filter, audit, number, args);
  const number = (call: keyof typeof numbers) => numbers[call] as number;

  it("says of every number what the table says (A34)", () => {
    const denied = new Set<number | null>([...DENIED_CALLS, ...TRACING_CALLS].map((call) => numbers[call]));
    const absent = new Set<number | null>(ABSENT_CALLS.map((call) => numbers[call]));
    for (const one of NUMBERS) {
      const expected = denied.has(one)
        ? EPERM
        : absent.has(one)
          ? ENOSYS
          : one === numbers.socket
            ? EPERM // a family of number 0
            : ALLOW;
      expect([one, says(one)]).toEqual([one, expected]);
    }
  });

  it("lets through the calls of debuggers, and no others, if tracing is allowed", () => {
    const open = seccompFilter(architecture, { unixSockets: "deny", tracing: "allow" });
    const verdictOf = (call: keyof typeof numbers) => verdict(open, audit, number(call));
    expect(TRACING_CALLS.map(verdictOf)).toEqual(TRACING_CALLS.map(() => ALLOW));
    for (const call of DENIED_CALLS) if (numbers[call] !== null) expect([call, verdictOf(call)]).toEqual([call, EPERM]);
  });

  it.each([
    ["allow", 1, 9, ALLOW],
    ["allow", 1, 0, EPERM],
    ["allow", 1, 17, EPERM],
    ["allow", 2, 0, ALLOW],
    ["deny", 1, 0, ALLOW],
  ] as const)("with tracing %s: prctl with %i and %i", (tracing, option, argument, expected) => {
    const own = seccompFilter(architecture, { unixSockets: "deny", tracing });
    expect(verdict(own, audit, number("prctl"), [option, argument])).toBe(expected);
  });

  it("kills whoever comes with another architecture", () => {
    expect(verdict(filter, 0x40000003, 1)).toBe(KILL);
    expect(verdict(filter, name === "x64" ? 0xc00000b7 : 0xc000003e, 1)).toBe(KILL);
  });

  it.each([
    [0x11, ALLOW], // fork
    [0x3d0f00, ALLOW], // a thread
    [0x10000011, EPERM],
    [0x20011, EPERM],
    [0x40000000, EPERM],
  ])("clone with the flags %i", (flags, expected) => expect(says(number("clone"), flags)).toBe(expected));

  it.each([
    ["chmod", (mode: number) => [0, mode]],
    ["fchmod", (mode: number) => [0, mode]],
    ["fchmodat", (mode: number) => [0, 0, mode]],
    ["fchmodat2", (mode: number) => [0, 0, mode, 0]],
    ["creat", (mode: number) => [0, mode]],
    ["mkdir", (mode: number) => [0, mode]],
    ["mkdirat", (mode: number) => [0, 0, mode]],
    ["mknod", (mode: number) => [0, mode]],
    ["mknodat", (mode: number) => [0, 0, mode]],
    ["open", (mode: number) => [0, O_CREAT | O_WRONLY, mode]],
    ["openat", (mode: number) => [0, 0, O_CREAT, mode]],
    ["openat", (mode: number) => [0, 0, O_TMPFILE | O_WRONLY, mode]],
  ] as const)("%s refuses both set-id bits and no other bit (S2)", (call, args) => {
    if (numbers[call] === null) return;
    for (const mode of [0, 0o755, 0o1777, 0o100644]) expect(says(number(call), ...args(mode))).toBe(ALLOW);
    for (const mode of [0o4755, 0o2755, 0o6000, 0o104755]) expect(says(number(call), ...args(mode))).toBe(EPERM);
  });

  it("open ignores the mode argument where nothing is created: it holds garbage then", () => {
    if (numbers.open !== null) expect(says(numbers.open, 0, O_WRONLY, 0o6777)).toBe(ALLOW);
    expect(says(number("openat"), 0, 0, O_DIRECTORY, 0o6777)).toBe(ALLOW);
  });

  it.each([
    [0, ALLOW],
    [0xffffffff, ALLOW],
    [0x40000, EPERM],
  ])("personality %i", (persona, expected) => expect(says(number("personality"), persona)).toBe(expected));

  it.each([
    [0x5412, EPERM],
    [0x541c, EPERM],
    [0x5401, ALLOW],
  ])("ioctl %i", (request, expected) => expect(says(number("ioctl"), 0, request)).toBe(expected));

  it.each([
    [1, 0, EPERM, ALLOW], // unix
    [2, 0, ALLOW, ALLOW],
    [10, 0, ALLOW, ALLOW],
    [16, 0, ALLOW, ALLOW], // netlink, routes
    [16, 9, EPERM, EPERM],
    [17, 0, EPERM, EPERM],
    [40, 0, EPERM, EPERM],
  ])("a socket of family %i, protocol %i", (family, protocol, closed, withProxy) => {
    const open = seccompFilter(architecture, { unixSockets: "allow", tracing: "deny" });
    expect(says(number("socket"), family, 1, protocol)).toBe(closed);
    expect(verdict(open, audit, number("socket"), [family, 1, protocol])).toBe(withProxy);
  });
});

it("calls of the x32 interface are refused", () => {
  const architecture = architectureOf("x64") as Architecture;
  const filter = seccompFilter(architecture, { unixSockets: "deny", tracing: "deny" });
  expect([0x3fffffff, 0x40000000, 0x40000001].map((number) => verdict(filter, architecture.audit, number))).toEqual([
    ALLOW,
    EPERM,
    EPERM,
  ]);
});

it("there is none for a processor without a table", () => expect(architectureOf("s390x")).toBeNull());

/** Calls that end the process, wait, or would have to be given more than nonsense. */
const NOT_TRIED = [15, 34, 57, 58, 60, 61, 231, 247];

needs(
  "bwrap",
  "prlimit",
  "python3",
)("in a real sandbox", () => {
  it("every call that is denied is denied by the kernel, and no other call is missing (A34)", async () => {
    const python = `
import ctypes, os
libc = ctypes.CDLL(None, use_errno=True)
for number in range(0, 470):
    if number in ${JSON.stringify(NOT_TRIED)}: continue
    r, w = os.pipe()
    pid = os.fork()
    if pid == 0:
        import signal
        signal.alarm(2)
        for fd in (0, 1, 2): os.close(fd)
        ctypes.set_errno(0)
        libc.syscall(number, -1, -1, -1, -1, -1, -1)
        os.write(w, b"%d" % ctypes.get_errno())
        os._exit(0)
    os.close(w)
    os.waitpid(pid, 0)
    print(number, os.read(r, 9).decode() or "-", flush=True)
    os.close(r)
`;
    const command = {
      ...scripted(""),
      argv: ["/usr/bin/python3", "-c", python] as const,
      view: "system" as const,
      mounts: [],
      limits: { memoryBytes: 2 ** 30, openFiles: 256, tasks: 32 },
    };
    const { out, end } = await ran(command, realSandbox());
    expect(end).toMatchObject({ kind: "exited", exitCode: 0 });
    const told = new Map(out.split("\n").map((line) => line.split(" ") as [string, string]));
    const { numbers } = architectureOf(process.arch) as Architecture;
    for (const call of [...DENIED_CALLS, ...TRACING_CALLS])
      if (numbers[call] !== null) expect([call, told.get(String(numbers[call]))]).toEqual([call, "1"]);
    for (const call of ABSENT_CALLS) expect([call, told.get(String(numbers[call]))]).toEqual([call, "38"]);
    expect(told.size).toBeGreaterThan(450);
  });

  it("no call leaves a file or folder with a set-id bit in the workspace (S2)", async () => {
    using scratch = openScratch();
    using held = unwrap(await scratch.files.hold(await scratch.checked("."), "directory"));
    const { numbers } = architectureOf(process.arch) as Architecture;
    const python = `
import ctypes, os, struct
libc = ctypes.CDLL(None, use_errno=True)
numbers = ${JSON.stringify(numbers).replaceAll("null", "None")}
def call(name, *args):
    if numbers[name] is None: return "absent"
    ctypes.set_errno(0)
    result = libc.syscall(numbers[name], *args)
    return "done" if result >= 0 else os.strerror(ctypes.get_errno())
HERE, CREATE = -100, os.O_CREAT | os.O_WRONLY
open("file", "w").close()
fd = os.open("file", os.O_WRONLY)
def attempts(mode, at):
    name = lambda text: f"{at}-{text}".encode()
    yield "chmod", call("chmod", b"file", mode)
    yield "fchmod", call("fchmod", fd, mode)
    yield "fchmodat", call("fchmodat", HERE, b"file", mode)
    yield "fchmodat2", call("fchmodat2", HERE, b"file", mode, 0)
    yield "open", call("open", name("open"), CREATE, mode)
    yield "openat", call("openat", HERE, name("openat"), CREATE, mode)
    yield "tmpfile", call("openat", HERE, b".", os.O_TMPFILE | os.O_WRONLY, mode)
    yield "creat", call("creat", name("creat"), mode)
    yield "mkdir", call("mkdir", name("mkdir"), mode)
    yield "mkdirat", call("mkdirat", HERE, name("mkdirat"), mode)
    yield "mknod", call("mknod", name("mknod"), mode | 0o100000, 0)
    yield "mknodat", call("mknodat", HERE, name("mknodat"), mode | 0o100000, 0)
    yield "openat2", call("openat2", HERE, name("openat2"), struct.pack("QQQ", CREATE, mode, 0), 24)
for mode in (0o755, 0o4755, 0o2755):
    for name, result in attempts(mode, oct(mode)): print(oct(mode), name, result)
os.mkdir("shared")
for what in ("cp -a /usr/bin/passwd copied", "chmod g+s shared", "install -m 4755 /usr/bin/true installed"):
    print(what, os.system(what + " 2>/dev/null"))
libc.setxattr(b"file", b"security.capability", struct.pack("<IIIII", 0x2000001, 1, 0, 0, 0), 20, 0)
print("capabilities", len(os.listxattr("file")))
`;
    const command = {
      ...scripted(""),
      argv: ["/usr/bin/python3", "-c", python] as const,
      view: "system" as const,
      cwd: held.path,
      mounts: [{ kind: "held", held, access: "write" } as const],
      limits: { memoryBytes: 2 ** 30, openFiles: 256, tasks: 32, fileBytes: 2 ** 20 },
    };
    const { out, end } = await ran(command, realSandbox());
    expect(end).toMatchObject({ kind: "exited", exitCode: 0 });
    const lines = out.trimEnd().split("\n");
    for (const line of lines.filter((one) => /^0o[24]755/.test(one)))
      expect(line).toMatch(/ (Operation not permitted|absent)$|openat2 Function not implemented$/);
    for (const line of lines.filter((one) => one.startsWith("0o755")))
      expect(line).toMatch(/ (done|absent)$|openat2 Function not implemented$|fchmodat2 Function not implemented$/);
    expect(lines.at(-1)).toBe("capabilities 0");
    const modes = ["", ...readdirSync(scratch.workspace)].map((name) => statSync(join(scratch.workspace, name)).mode);
    expect(modes.filter((mode) => (mode & 0o6000) !== 0)).toEqual([]);
    expect(modes.length).toBeGreaterThan(5);
  });
});
