import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type SystemPlaces, systemView } from "../../src/sandbox/system-view.ts";

/** Where no toolchain is looked for is `/tmp`; this may be written as well. */
const SHARED_MEMORY = "/dev/shm";

function openMachine(): Disposable & { readonly root: string; readonly make: (path: string) => string } {
  const root = mkdtempSync(join(SHARED_MEMORY, "toolgate-machine-"));
  return {
    root,
    make: (path) => {
      mkdirSync(join(root, path), { recursive: true });
      return join(root, path);
    },
    [Symbol.dispose]: () => rmSync(root, { recursive: true, force: true }),
  };
}

const bindsOf = (places: Partial<SystemPlaces>, root: string) => {
  const { options } = systemView({ searchPath: [], workspace: "/nowhere", home: null, ...places });
  return options
    .flatMap((word, at) => (word === "--ro-bind" ? [options[at + 1] ?? ""] : []))
    .filter((path) => path.startsWith(root))
    .map((path) => path.slice(root.length + 1));
};

it("shows the system, the harmless parts of /etc, and nothing of anybody's home", () => {
  const { options, path } = systemView({ searchPath: ["/usr/bin"], workspace: "/nowhere", home: homedir() });
  expect(options).toContain("/usr");
  for (const closed of ["/", "/etc", "/etc/shadow", "/etc/ssl/private", "/root", "/home", "/var", "/run", homedir()])
    expect(options).not.toContain(closed);
  expect(path).toEqual(["/usr/bin", "/bin"]);
});

describe.skipIf(!existsSync(SHARED_MEMORY))("folders of PATH", () => {
  it("shows where the programs of PATH have their libraries, and of a home only what surely holds nothing else", () => {
    using machine = openMachine();
    const { root, make } = machine;
    const searchPath = [
      "opt/node/bin",
      "home/.local/bin",
      "home/.pyenv/bin",
      "home/tools/a/b/bin",
      "scripts",
      "ws/bin",
    ];
    const places = { searchPath: searchPath.map(make), workspace: join(root, "ws"), home: join(root, "home") };
    expect(bindsOf(places, root)).toEqual([
      ...["home/.local/bin", "home/.pyenv", "home/tools/a/b", "opt/node", "scripts"],
    ]);
    const { path } = systemView(places);
    expect(path.map((folder) => folder.slice(root.length + 1))).not.toContain("ws/bin");
    expect(path).toContain(join(root, "opt/node/bin"));
  });

  it("shows a link of PATH as well as what it leads to, and no folder that is not there", () => {
    using machine = openMachine();
    const { root, make } = machine;
    make("opt/v1/bin");
    make("links");
    symlinkSync(join(root, "opt/v1/bin"), join(root, "links/bin"));
    const { options } = systemView({
      searchPath: [join(root, "links/bin"), join(root, "nosuch")],
      workspace: "/nowhere",
      home: null,
    });
    expect(bindsOf({ searchPath: [join(root, "links/bin"), join(root, "nosuch")] }, root)).toEqual(["opt/v1"]);
    expect(options.join(" ")).toContain(`--symlink ${join(root, "opt/v1/bin")} ${join(root, "links/bin")}`);
  });

  it("shows others only what they may enter", () => {
    using machine = openMachine();
    const { root, make } = machine;
    chmodSync(root, 0o755);
    const searchPath = [make("open/bin"), make("closed/bin")];
    chmodSync(join(root, "closed"), 0o700);
    const isOpen = bindsOf({ searchPath, readBy: "anybody" }, root);
    expect(isOpen).not.toContain("closed");
    expect(bindsOf({ searchPath }, root)).toEqual(["closed", "open"]);
  });
});
