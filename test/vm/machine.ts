import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Image } from "./image.ts";

/** One check in the guest: a way to run the gate, what was tried, and what was seen. */
export interface Checked {
  readonly who: string;
  readonly how: string;
  readonly check: string;
  readonly held: boolean;
  readonly saw: string;
}

/** Boots the image without a network, and returns what the guest reported when it has powered off. */
export async function checkedInMachine(image: Image, packageDisk: string, folder: string): Promise<readonly Checked[]> {
  const results = join(folder, "results.jsonl");
  // Emulation is slow and works everywhere; a virtual machine that offers /dev/kvm may be unable to run a guest with it.
  const isAccelerated = process.env["VM_ACCEL"] === "kvm";
  const only = process.env["VM_ONLY"] === undefined ? "" : `toolgate.only=${process.env["VM_ONLY"]}`;
  const args = [
    ...(isAccelerated ? ["-accel", "kvm", "-cpu", "host"] : ["-accel", "tcg,thread=multi", "-cpu", "max,-pku"]),
    ...["-smp", "2", "-m", "4096", "-nic", "none", "-display", "none", "-no-reboot"],
    ...["-kernel", image.kernel, "-initrd", image.initrd],
    ...["-append", `root=/dev/vda console=ttyS0 systemd.unified_cgroup_hierarchy=1 ${only}`],
    // The cached image stays as it is.
    ...["-drive", `file=${image.disk},format=raw,if=virtio,snapshot=on`],
    ...["-drive", `file=${packageDisk},format=raw,if=virtio,readonly=on`],
    ...["-serial", `file:${join(folder, "console.log")}`, "-serial", `file:${results}`],
  ];
  const machine = spawn("nice", ["qemu-system-x86_64", ...args], { stdio: ["ignore", "inherit", "inherit"] });
  const stop = (): void => void machine.kill("SIGKILL");
  process.once("exit", stop);
  const ended = await new Promise<string>((resolve, reject) => {
    machine.once("error", reject);
    machine.once("exit", (code, signal) => resolve(signal ?? String(code)));
  });
  process.off("exit", stop);
  const lines = readFileSync(results, "utf8")
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
  if (lines.at(-1) !== '"done"') throw new Error(`the machine ended early (${ended}):\n${consoleOf(folder)}`);
  return lines.slice(0, -1).map((line): Checked => JSON.parse(line));
}

const consoleOf = (folder: string): string => readFileSync(join(folder, "console.log"), "utf8").slice(-4000);
