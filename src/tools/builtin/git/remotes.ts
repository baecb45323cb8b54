import type { ConfigEntry } from "./config-entries.ts";

/** What git calls the other side where nobody says. */
const USUAL = "origin";

/** Where a repository's configuration says that others are (`git help config`: `remote`, `remotes`, `branch`). */
export class Remotes {
  readonly #urls = new Map<string, string[]>();
  readonly #pushUrls = new Map<string, string[]>();
  readonly #groups = new Map<string, readonly string[]>();
  /** Where branches are fetched from and pushed to: names of remotes, or addresses. */
  readonly #usual = new Set<string>([USUAL]);

  take({ section, name, key, value }: ConfigEntry): void {
    if (key === null || value === null) return;
    if (section === "remotes") this.#groups.set(key, value.split(/\s+/));
    if (section === "branch" && (key === "remote" || key === "pushremote")) this.#usual.add(value);
    if (section !== "remote") return;
    if (name === "" && key === "pushdefault") this.#usual.add(value);
    if (key === "url") this.#urls.set(name, [...(this.#urls.get(name) ?? []), value]);
    if (key === "pushurl") this.#pushUrls.set(name, [...(this.#pushUrls.get(name) ?? []), value]);
  }

  /** Of a remote's name, a group's, or an address; null = none is given, so that it may be any of those that are known. */
  meant(given: string | null): readonly string[] {
    if (given === null) return [...new Set([...this.#urls.keys(), ...this.#pushUrls.keys(), ...this.#usual])];
    // A group is not told apart by the case of its letters, and a remote may have its name.
    return [given, ...(this.#groups.get(given.toLowerCase()) ?? [])];
  }

  /** Else git looks for it elsewhere, too. */
  hasAddress(name: string): boolean {
    return this.#urls.has(name);
  }

  /** All addresses of one: it is pushed to each, and fetched from the first, or from the first behind an empty one. */
  addressesOf(name: string, way: "fetch" | "push"): readonly string[] {
    const urls = this.#urls.get(name) ?? [];
    const pushUrls = way === "push" ? (this.#pushUrls.get(name) ?? []) : [];
    // An empty one takes back those before it.
    const all = pushUrls.length === 0 || pushUrls.includes("") ? [...urls, ...pushUrls] : pushUrls;
    const named = all.filter((address) => address !== "");
    return named.length === 0 ? [name] : named;
  }
}
