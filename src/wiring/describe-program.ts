import { tmpdir } from "node:os";
import { dirname, join, relative, resolve } from "node:path";
import { gateFindings, isPartial } from "../atip/gate-policy.ts";
import type { AtipTool } from "../atip/metadata.ts";
import { type ReadTool, readMetadata } from "../atip/read-metadata.ts";
import type { MetadataProblem } from "../atip/shape.ts";
import { type OperatorsWord, trustIn, type Verification, verificationOf } from "../atip/trust.ts";
import { type NewAtipEntry, withAtipEntry } from "../config/atip-entry.ts";
import type { Config } from "../config/config.ts";
import type { Environment } from "../config/environment.ts";
import { saveSettings } from "../config/save-settings.ts";
import { readSettings } from "../config/settings-file.ts";
import { openTrust, type Trusted } from "../config/trust.ts";
import type { Trust } from "../domain/tool-effects.ts";
import { quoted } from "../domain/visible.ts";
import { openPrograms } from "../files/open-programs.ts";
import { openProgramHashes } from "../files/program-hashes.ts";
import { openSandbox } from "../sandbox/open-sandbox.ts";
import { fieldFromPath } from "../schema/field-from-path.ts";
import { readJson } from "../schema/json/read-json.ts";
import { openProbeFiles } from "../store/probes/probe-files.ts";
import { probe } from "../tools/atip/probe.ts";
import { systemClock } from "./system-clock.ts";

export interface DescribeRequest {
  readonly config: Config;
  readonly environment: Environment;
  /** As a person names it: found in the toolchains. */
  readonly program: string;
  /** Metadata that is there already; else the program is asked. */
  readonly from?: string;
  readonly trust?: Exclude<Trust, "native">;
}

/** What would be added, to be shown before it is. */
export interface Proposal {
  readonly program: string;
  readonly path: string;
  readonly sha256: string;
  readonly trust: Trust;
  readonly verification: Verification;
  /** How its commands are judged before any rule of the operator's is asked. */
  readonly commands: { readonly all: number; readonly denied: number; readonly asked: number };
  /** Variables that it wants its keys in. */
  readonly variables: readonly string[];
  readonly entry: NewAtipEntry;
  readonly warnings: readonly string[];
  /** The description, where it is not in a file yet. */
  readonly newFile: { readonly path: string; readonly text: string } | null;
  readonly config: { readonly path: string; readonly text: string };
}

export type Described =
  | { readonly ok: true; readonly proposal: Proposal }
  | { readonly ok: false; readonly message: string; readonly hint?: string };

const no = (message: string, hint?: string): Described => ({ ok: false, message, ...(hint !== undefined && { hint }) });

/** Finds the program, has it describe itself, and works out what would stand in the config. Changes nothing but a cache. */
export async function describeProgram(request: DescribeRequest): Promise<Described> {
  const { config, environment, program, from, trust } = request;
  if (config.path === null) return no("there is no config to add it to", "`toolgate init` writes one");
  const found = await programsOf(config, environment).resolve(program, config.workspace);
  if (found === null || program.includes("/"))
    return no(
      `there is no program ${quoted(program)} in a toolchain`,
      "name one of PATH by its bare name, or see `toolchains`",
    );
  const sha256 = await openProgramHashes().sha256(found.path);
  if (!found.toolchain || sha256 === null)
    return no(`\`${found.path}\` lies where tools can write, or can't be read`, "install it where only you can write");
  const read = from === undefined ? await asked(found.named, sha256, request) : fromFile(from);
  if (!read.ok) return read;
  const metadata = metadataIn(read.text, program);
  if (!metadata.ok) return metadata;
  const base = dirname(config.path);
  const file = from === undefined ? `${program}.atip.json` : relative(base, resolve(from)) || from;
  const entry: NewAtipEntry = { file, ...(trust !== undefined && { trust }), sha256 };
  const index = config.atip.findIndex(({ tool }) => tool.name === program);
  // Of the config itself, without the files that it names.
  const own = readSettings(config.path, "shared");
  if (!own.ok) return no(`\`${config.path}\`: ${own.message}`);
  const text = withAtipEntry(own.text, entry, index === -1 ? null : index);
  if (text === null)
    return no(
      "the config is written in a way that only a person can add to",
      `add \`${JSON.stringify(entry)}\` to \`tools.atip\``,
    );
  return {
    ok: true,
    proposal: {
      ...{ program, path: found.path, sha256, entry },
      ...standingOf(metadata.read, entry),
      variables: variablesOf(metadata.read.tool),
      warnings: metadata.problems.map(inWords),
      newFile: from === undefined ? { path: join(base, file), text: read.text } : null,
      config: { path: config.path, text },
    },
  };
}

/** Writes what was shown. What will stand in the config is accepted with it. */
export function saveDescribed({ newFile, config }: Proposal): Trusted {
  const written: Trusted = newFile === null ? { ok: true } : saveSettings(newFile.path, newFile.text);
  return written.ok ? saveSettings(config.path, config.text) : written;
}

/** The person who was shown the change has accepted it, and with it what stood there before. */
export const acceptDescribed = (config: Config, environment: Environment, nowMs: number): Trusted =>
  config.path === null ? { ok: true } : openTrust(environment).trust(config.path, config.text, nowMs);

const programsOf = ({ toolchains, workspace, stateDir }: Config, { searchPath }: Environment) =>
  openPrograms({ searchPath, toolchains, writable: [workspace, stateDir, tmpdir()] });

type Text = { readonly ok: true; readonly text: string } | Extract<Described, { ok: false }>;

async function asked(program: string, sha256: string, { config, environment }: DescribeRequest): Promise<Text> {
  const cache = openProbeFiles(config.stateDir);
  const known = await cache.get(sha256, systemClock.nowMs());
  if (known !== null) return { ok: true, text: known };
  const searchPath = [...environment.searchPath, ...config.toolchains];
  const places = { searchPath, workspace: config.workspace, home: environment.home };
  const probed = await probe(program, { sandbox: openSandbox(config.sandboxMinimum, places), clock: systemClock });
  switch (probed.kind) {
    case "described":
      await cache.put(sha256, probed.text, systemClock.nowMs());
      return { ok: true, text: probed.text };
    case "refused":
      return { ok: false, ...probed.fault };
    case "unsupported":
      return {
        ok: false,
        message: `\`${program}\` does not describe itself: ${probed.because}`,
        hint: "describe it in a file, and name that with `--from FILE`",
      };
    case "broken":
      return { ok: false, message: `\`${program}\` can't be asked: ${probed.because}` };
    default:
      return probed satisfies never;
  }
}

function fromFile(from: string): Text {
  const read = readSettings(resolve(from), "shared");
  return read.ok ? read : { ok: false, message: `${quoted(from)}: ${read.message}` };
}

function metadataIn(text: string, program: string) {
  const json = readJson(text);
  if (!json.ok)
    return no(`the description is no JSON: line ${json.error.line}: ${json.error.message}`) as Extract<
      Described,
      { ok: false }
    >;
  const read = readMetadata(json.value);
  if (!read.ok) {
    const [first] = read.problems.filter(({ level }) => level === "error");
    return {
      ok: false,
      message: `the description can't be used: ${first === undefined ? "" : inWords(first)}`,
      hint: "`toolgate tools check FILE` tells all",
    } as const;
  }
  if (read.tool.name !== program)
    return { ok: false, message: `the description is of \`${read.tool.name}\`, and not of \`${program}\`` } as const;
  return { ok: true, read, problems: read.problems } as const;
}

function standingOf(
  { tool, leaves }: ReadTool,
  word: OperatorsWord,
): Pick<Proposal, "trust" | "verification" | "commands"> {
  const trust = trustIn(tool, word);
  const verification = verificationOf(tool, word);
  const standing = { trust, verification, isPartial: isPartial(tool, trust) };
  const findings = leaves.map(({ effects }) => gateFindings(effects, standing).map(({ effect }) => effect));
  const denied = findings.filter((all) => all.includes("deny")).length;
  const asking = findings.filter((all) => all.includes("ask") && !all.includes("deny")).length;
  return { trust, verification, commands: { all: leaves.length, denied, asked: asking } };
}

const variablesOf = ({ authentication }: AtipTool): readonly string[] => [
  ...new Set((authentication?.methods ?? []).flatMap(({ envVar }) => (envVar === undefined ? [] : [envVar]))),
];

const inWords = ({ path, message }: MetadataProblem): string =>
  `${path.length === 0 ? "the description" : `\`${fieldFromPath(path)}\``} ${message}`;
