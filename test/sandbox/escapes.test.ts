import { expect, it } from "vitest";
import { type As, isRoot, ranAs } from "../support/as-somebody.ts";
import { needs } from "../support/parts.ts";

interface Escapes {
  readonly end: string;
  readonly tried: number;
  readonly managed: readonly { readonly name: string; readonly what: string }[];
}

const escapes = (backend: "namespaces" | "none", as: As = "this user"): Promise<Escapes> =>
  ranAs(as, "runs-escapes.ts", backend);

/** What a program of its own user may do to itself, and what needs more than this machine has. */
const BITES_MIN = isRoot ? 70 : 25;

needs(
  "bwrap",
  "prlimit",
  "python3",
  "setpriv",
)("programs that try to get out (A34)", () => {
  it("do get out where nothing holds them in: they do bite", async () => {
    const { tried, managed } = await escapes("none");
    expect(tried).toBeGreaterThanOrEqual(60);
    expect(new Set(managed.map(({ name }) => name)).size).toBeGreaterThanOrEqual(BITES_MIN);
  });

  it("manage nothing in the sandbox, as the user of this test", async () =>
    expect(await escapes("namespaces")).toMatchObject({ end: "exited", managed: [] }));

  it.skipIf(!isRoot)("manage nothing in the sandbox of an ordinary user", async () =>
    expect(await escapes("namespaces", "an ordinary user")).toMatchObject({ end: "exited", managed: [] }),
  );
});
