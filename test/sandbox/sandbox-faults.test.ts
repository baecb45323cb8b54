import { expect, it } from "vitest";
import { faultFromLaunch, faultFromSpawn, missingProgram } from "../../src/sandbox/sandbox-faults.ts";
import { setUpHint } from "../../src/sandbox/set-up-hints.ts";

it.each([
  ["bwrap: execvp /x: No such file or directory\n", "SPAWN_FAILED", "is not there in the sandbox", "install it"],
  ["bwrap: execvp /x: Permission denied\n", "SPAWN_FAILED", "may not be started", "chmod +x"],
  ["bwrap: execvp /x: Text file busy\n", "SPAWN_FAILED", "could not be started", "install the package anew"],
  [
    "bwrap: No permissions to create new namespace, likely because the kernel does not allow it\n",
    "SANDBOX_UNAVAILABLE",
    "No permissions to create new namespace",
    "allow user namespaces here",
  ],
  [
    "bwrap: Creating new namespace failed: Resource temporarily unavailable\n",
    "SPAWN_FAILED",
    "want of processes",
    "less busy",
  ],
  [
    "bwrap: Creating new namespace failed: nesting depth or /proc/sys/user/max_*_namespaces exceeded (ENOSPC)\n",
    "SANDBOX_UNAVAILABLE",
    "nesting depth or /proc/sys/user/max_*_namespaces exceeded (ENOSPC)",
    "allow user namespaces here",
  ],
  [
    "bwrap: No permissions to create new namespace, likely because the kernel does not allow non-privileged user namespaces. See <https://deb.li/bubblewrap> or <file:///usr/share/doc/bubblewrap/README.Debian.gz>.\n",
    "SANDBOX_UNAVAILABLE",
    "See <https://deb.li/bubblewrap> or …`",
    "allow user namespaces",
  ],
  ["bwrap: setting up uid map: Permission denied\n", "SANDBOX_UNAVAILABLE", "uid map", "/etc/apparmor.d/bwrap"],
  [
    "bwrap: loopback: Failed RTM_NEWADDR: Operation not permitted\n",
    "SANDBOX_UNAVAILABLE",
    "RTM_NEWADDR",
    "/etc/apparmor.d/bwrap",
  ],
  [
    "bwrap: No permissions to create new namespace, likely because the kernel does not allow non-privileged user namespaces. On e.g. debian this can be enabled with 'sysctl kernel.unprivileged_userns_clone=1'.\n",
    "SANDBOX_UNAVAILABLE",
    "'sysctl kernel.unprivileged_userns_clone=1'.",
    "allow user namespaces",
  ],
  ["bwrap: Unknown option --disable-userns\n", "SANDBOX_UNAVAILABLE", "Unknown option", "0.8 or later"],
  [
    "noise\nbwrap: Can't mount proc on /newroot/proc\n",
    "SANDBOX_UNAVAILABLE",
    "`bwrap: Can't mount proc on …`",
    "bwrap",
  ],
  [
    "bwrap: Can't find source path /w/held: No such file or directory\n",
    "CONFLICT",
    "changed since it was judged",
    "repeat",
  ],
  ["bwrap: Can't bind mount /oldroot/w/held on /newroot/w/held: Not a directory\n", "CONFLICT", "changed", "repeat"],
  [
    "bwrap: Can't bind mount /oldroot/w/held on /newroot/w/held: Permission denied\n",
    "SANDBOX_UNAVAILABLE",
    "bind mount …",
    "bwrap",
  ],
  [
    "bwrap: Can't find source path /w/other: No such file or directory\n",
    "SANDBOX_UNAVAILABLE",
    "source path …",
    "bwrap",
  ],
  ["", "SANDBOX_UNAVAILABLE", "without a word", "bwrap --unshare-all"],
])("%j is %s", (text, code, message, hint) => {
  const fault = faultFromLaunch(text, ["/w/held"]);
  expect(fault.code).toBe(code);
  expect(fault.message).toContain(message);
  expect(fault.message).not.toMatch(/\/newroot|\/x/);
  expect(fault.hint).toContain(hint);
});

it.each([
  ["E2BIG", "too long"],
  ["EAGAIN", "(EAGAIN)"],
])("a launcher that can't be started: %s", (code, message) => {
  expect(faultFromSpawn(Object.assign(new Error("x"), { code }))).toMatchObject({ code: "SPAWN_FAILED" });
  expect(faultFromSpawn(Object.assign(new Error("x"), { code })).message).toContain(message);
});

it("does not take our own mistake for one of the operating system", () =>
  expect(() => faultFromSpawn(new TypeError("ours"))).toThrow("ours"));

it.each([
  [{ kind: "absent" }, "is not on the PATH"],
  [{ kind: "untrusted", path: "/home/ann/bin/bwrap" }, "could replace it"],
] as const)("a launcher that is %j", (found, message) => {
  const fault = missingProgram("bwrap", "bubblewrap", found);
  expect(fault.code).toBe("SANDBOX_UNAVAILABLE");
  expect(fault.message).toContain(message);
  expect(fault.hint).toContain("apt install bubblewrap");
  expect(JSON.stringify(fault)).not.toContain("ann");
});

it.each([
  [{ "kernel.unprivileged_userns_clone": "0" }, "sysctl -w kernel.unprivileged_userns_clone=1`"],
  [{ "user.max_user_namespaces": "0" }, "sysctl -w user.max_user_namespaces=10000`"],
  [
    { "kernel.unprivileged_userns_clone": "0", "user.max_user_namespaces": "0" },
    "sysctl -w kernel.unprivileged_userns_clone=1 user.max_user_namespaces=10000`",
  ],
  [{ "kernel.unprivileged_userns_clone": "1", "user.max_user_namespaces": "15000" }, "seccomp profile"],
  [{ "kernel.apparmor_restrict_unprivileged_userns": "1" }, "/etc/apparmor.d/bwrap"],
  [{}, "seccomp profile"],
])("a machine that forbids user namespaces, with %j: the hint names %s", (settings, named) => {
  const hint = setUpHint(
    "bwrap: No permissions to create new namespace",
    (name) => new Map(Object.entries(settings)).get(name) ?? null,
  );
  expect(hint).toContain(named);
});
