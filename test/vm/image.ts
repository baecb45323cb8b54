import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join, relative } from "node:path";
import { BUILT_PROGRAM } from "../support/built-program.ts";

const ROOT = join(import.meta.dirname, "../..");
const SUITE = "bookworm";
const MIRROR = "http://deb.debian.org/debian";

/** What a minimal Debian has for Toolgate, and for the checks. Node 26 needs libatomic1. */
const PACKAGES = [
  ...["systemd", "systemd-sysv", "dbus", "dbus-user-session", "libpam-systemd", "udev"],
  ...["linux-image-cloud-amd64", "initramfs-tools", "bubblewrap", "util-linux", "libatomic1", "python3"],
];

/** `ann` has a user manager that always runs; `bob` has none. */
const SET_UP = `
set -e
useradd -m -s /bin/bash -u 1001 ann
useradd -m -s /bin/bash -u 1002 bob
mkdir -p /var/lib/systemd/linger && touch /var/lib/systemd/linger/ann
echo toolgate-vm > /etc/hostname
systemctl enable toolgate-vm.service
systemctl mask getty@tty1.service serial-getty@ttyS0.service apt-daily.timer apt-daily-upgrade.timer e2scrub_all.timer
rm -rf /var/cache/apt/* /var/lib/apt/lists/* /usr/share/doc /usr/share/locale /usr/share/man
`;

/** Runs the guest's program from the second disk; its results go to the second serial port. */
const UNIT = `[Unit]
Description=Checks of Toolgate
After=multi-user.target dbus.socket systemd-user-sessions.service

[Service]
Type=oneshot
ExecStartPre=/bin/mkdir -p /opt/toolgate
ExecStartPre=/bin/mount -o ro /dev/vdb /opt/toolgate
ExecStart=/opt/toolgate/node/node /opt/toolgate/guest/main.ts
ExecStopPost=/sbin/poweroff --force
TimeoutStartSec=infinity
StandardOutput=journal+console
StandardError=journal+console

[Install]
WantedBy=default.target
`;

export interface Image {
  readonly disk: string;
  readonly kernel: string;
  readonly initrd: string;
}

/** A Debian with systemd, made once and kept in the user's cache folder. Needs root, and Debian's mirror. */
export function baseImage(): Image {
  const digest = createHash("sha256")
    .update([SUITE, ...PACKAGES, SET_UP, UNIT].join("\n"))
    .digest("hex");
  const cache = process.env["XDG_CACHE_HOME"] ?? join(homedir(), ".cache");
  const folder = join(cache, "toolgate-vm", digest.slice(0, 16));
  const image = { disk: join(folder, "disk.img"), kernel: join(folder, "vmlinuz"), initrd: join(folder, "initrd") };
  if (existsSync(folder)) return image;
  mkdirSync(dirname(folder), { recursive: true });
  const making = mkdtempSync(`${folder}-`);
  const tree = join(making, "tree");
  try {
    quietly("debootstrap", "--variant=minbase", `--include=${PACKAGES.join(",")}`, SUITE, tree, MIRROR);
    writeFileSync(join(tree, "etc/systemd/system/toolgate-vm.service"), UNIT);
    writeFileSync(join(tree, "etc/fstab"), "/dev/vda / ext4 defaults 0 1\n");
    quietly("chroot", tree, "/bin/sh", "-c", SET_UP);
    for (const [name, prefix] of Object.entries({ vmlinuz: "vmlinuz-", initrd: "initrd.img-" })) {
      const found = readdirSync(join(tree, "boot")).find((file) => file.startsWith(prefix));
      if (found === undefined) throw new Error(`the image has no ${name}`);
      cpSync(join(tree, "boot", found), join(making, name));
    }
    diskFrom(tree, join(making, "disk.img"), "3G");
    rmSync(tree, { recursive: true });
    renameSync(making, folder);
  } finally {
    rmSync(making, { recursive: true, force: true });
  }
  return image;
}

/** A disk with the built package, its dependencies, the project's Node and the guest's program. */
export function packageDisk(folder: string): string {
  const tree = join(folder, "package");
  const built = dirname(dirname(BUILT_PROGRAM));
  for (const name of ["bin", "dist", "package.json"]) cpSync(join(built, name), join(tree, name), { recursive: true });
  cpSync(join(import.meta.dirname, "guest"), join(tree, "guest"), { recursive: true });
  cpSync(join(ROOT, "examples/systemd"), join(tree, "units"), { recursive: true });
  cpSync(process.execPath, join(tree, "node/node"));
  for (const path of dependencies()) cpSync(join(ROOT, path), join(tree, path), { recursive: true });
  const disk = join(folder, "package.img");
  diskFrom(tree, disk, "1G");
  rmSync(tree, { recursive: true });
  return disk;
}

function dependencies(): readonly string[] {
  const list = execFileSync("npm", ["ls", "--omit=dev", "--all", "--parseable"], { cwd: ROOT, encoding: "utf8" });
  return list
    .split("\n")
    .map((path) => relative(ROOT, path))
    .filter((path) => path.startsWith("node_modules/") && !/node_modules\/(toolgate|node-linux)/.test(path));
}

/** An ext4 file system with the content of a folder: needs no mount. */
function diskFrom(tree: string, disk: string, size: string): void {
  quietly("mkfs.ext4", "-q", "-F", "-d", tree, disk, size);
}

function quietly(program: string, ...args: readonly string[]): void {
  const PATH = `${process.env["PATH"]}:/usr/sbin:/sbin`;
  const log = execFileSync("nice", [program, ...args], { env: { ...process.env, PATH }, maxBuffer: 2 ** 28 });
  if (process.env["DEBUG"]) process.stderr.write(log);
}

/** What this machine lacks to run the test; null = nothing. */
export function missing(): string | null {
  if (process.platform !== "linux" || process.arch !== "x64") return "Linux on x64";
  if (process.getuid?.() !== 0) return "root (debootstrap)";
  const folders = [...(process.env["PATH"] ?? "").split(":"), "/usr/sbin", "/sbin"];
  const absent = ["qemu-system-x86_64", "debootstrap", "mkfs.ext4"].filter(
    (name) => !folders.some((folder) => existsSync(join(folder, name))),
  );
  return absent.length === 0 ? null : `${absent.join(", ")} (apt install qemu-system-x86 debootstrap e2fsprogs)`;
}
