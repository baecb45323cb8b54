import { readFileSync } from "node:fs";

/** The value of a kernel setting; null = this kernel does not have it. */
export type ReadSetting = (name: string) => string | null;

/** Settings that forbid user namespaces: the value that forbids them, and one that allows them. */
const NAMESPACE_SETTINGS = [
  ["kernel.unprivileged_userns_clone", "0", "1"], // Debian and Arch
  ["user.max_user_namespaces", "0", "10000"],
] as const;

const NO_NAMESPACE = /No permissions to create (a )?new namespace|Creating new namespace failed/i;

/** bubblewrap gets its namespaces on Ubuntu 24.04, and then no rights in them. */
const NO_RIGHTS_INSIDE =
  /setting up uid map: Permission denied|loopback: Failed RTM_NEWADDR|loopback: Failed RTM_NEWLINK/i;

const APPARMOR =
  "let AppArmor allow user namespaces for bwrap: write " +
  "`abi <abi/4.0>, profile bwrap /usr/bin/bwrap flags=(unconfined) { userns, }` " +
  "to /etc/apparmor.d/bwrap and run `apparmor_parser -r /etc/apparmor.d/bwrap` as root";

/** What to do about a sandbox that could not be set up, by bubblewrap's own words and this machine's settings. */
export function setUpHint(errorText: string, readSetting: ReadSetting = settingOf): string {
  if (NO_RIGHTS_INSIDE.test(errorText)) return APPARMOR;
  if (NO_NAMESPACE.test(errorText)) return namespaceHint(readSetting);
  if (/Unknown option/i.test(errorText)) return "install bubblewrap 0.8 or later";
  return "run `bwrap --unshare-all --ro-bind / / true` to see what this machine lacks";
}

function namespaceHint(readSetting: ReadSetting): string {
  const changes = NAMESPACE_SETTINGS.filter(([name, forbidden]) => readSetting(name) === forbidden).map(
    ([name, , allowed]) => `${name}=${allowed}`,
  );
  if (changes.length > 0)
    return `allow user namespaces as root: \`sysctl -w ${changes.join(" ")}\`, and put it into /etc/sysctl.d to keep it`;
  if (readSetting("kernel.apparmor_restrict_unprivileged_userns") === "1") return APPARMOR;
  return "allow user namespaces here; in a container its seccomp profile must allow `clone`, `unshare` and `mount`";
}

function settingOf(name: string): string | null {
  try {
    return readFileSync(`/proc/sys/${name.replaceAll(".", "/")}`, "latin1").trim();
  } catch (error) {
    const { code = "" } = error as NodeJS.ErrnoException;
    if (["ENOENT", "EACCES"].includes(code)) return null;
    throw error;
  }
}
