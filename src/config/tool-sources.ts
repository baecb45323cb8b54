import type { AcpSettings } from "../domain/agent.ts";
import type { ClientToolSpec } from "../domain/client-tool.ts";
import { type Digest, digestOfText } from "../domain/digest.ts";
import type { ModelProvider } from "../domain/model-provider.ts";
import type { ErrorProfile, ScriptTool } from "../domain/script-tool.ts";
import type { UpstreamSpec } from "../domain/upstream.ts";
import { quoted } from "../domain/visible.ts";
import type { RuleSource } from "../rules/rule.ts";
import { acpFrom, modeRules } from "./acp-settings.ts";
import { type AtipEntry, readAtipFiles } from "./atip-files.ts";
import { clientToolsFrom } from "./client-tools.ts";
import type { ConfigProblem } from "./config-problem.ts";
import type { RawConfig } from "./config-shape.ts";
import { errorProfileFrom } from "./error-profile.ts";
import { providersFrom } from "./inference.ts";
import { upstreamsFrom } from "./mcp-upstreams.ts";
import type { RulesFile } from "./rules-file.ts";
import type { ScriptSecret } from "./script-environment.ts";
import { scriptToolsFrom } from "./script-tools.ts";
import { toolsHashOf } from "./tools-hash.ts";
import type { Variables } from "./variables.ts";
import { type WebSearch, webSearchFrom } from "./web-search.ts";
import { placed, type YamlSource } from "./yaml-source.ts";

/** What tools are made of, beside the gate's own: a member for each source that `tools` of the config may name. */
export interface ToolSources {
  /** Programs that are described, with their commands. */
  readonly atip: readonly AtipEntry[];
  /** The tools of `tools.scripts`, later files over earlier ones. */
  readonly scripts: readonly ScriptTool[];
  /** How script tools tell of errors. */
  readonly errorProfile: ErrorProfile;
  /** Upstream MCP servers. */
  readonly upstreams: readonly UpstreamSpec[];
  /** Tools that a connected client runs itself. */
  readonly clientTools: readonly ClientToolSpec[];
  /** Who can be asked for an answer of a model. */
  readonly modelProviders: readonly ModelProvider[];
  /** Agents, which have tools of their own. */
  readonly acp: AcpSettings;
  /** Null = none is configured. */
  readonly webSearch: WebSearch | null;
  /** Of all that script tools and described programs are made from; null = there are none. */
  readonly toolsHash: Digest | null;
}

/** The sources, and what they bring along. */
export interface ReadSources {
  readonly sources: ToolSources;
  /** Files that were read, by every name: tools may write none of them. */
  readonly paths: readonly string[];
  /** What the operator accepts with the config: texts of files, or their hashes where they are long. */
  readonly contents: readonly string[];
  /** What holds for their tools before any rule of the config. */
  readonly rules: readonly RuleSource[];
  readonly secrets: readonly ScriptSecret[];
  readonly problems: readonly ConfigProblem[];
  /** No mistakes, but worth knowing. */
  readonly notes: readonly ConfigProblem[];
}

export interface SourcesPlace {
  readonly base: string;
  readonly workspace: string;
  readonly config: YamlSource;
  readonly variables: Variables;
}

/** Reads all of them, all problems at once. */
export function readToolSources(raw: RawConfig, place: SourcesPlace): ReadSources {
  const { base, workspace, config, variables } = place;
  const atip = readAtipFiles(raw, base, config, variables);
  const { profile, problems: profileProblems } = errorProfileFrom(raw, variables);
  const scripts = scriptToolsFrom(raw, { base, config, variables, profile });
  const { upstreams, problems: upstreamProblems, notes } = upstreamsFrom(raw, { base, workspace, variables });
  const agents = acpFrom(raw, { base, workspace, variables });
  const client = clientToolsFrom(raw);
  const web = webSearchFrom(raw, variables);
  const models = providersFrom(raw, variables);
  const parts = [upstreamProblems, agents.problems, client.problems, web.problems, models.problems];
  const inConfig = [profileProblems, ...parts].flat();
  return {
    sources: {
      atip: atip.entries,
      scripts: scripts.tools,
      errorProfile: profile,
      upstreams,
      clientTools: client.tools,
      modelProviders: models.providers,
      acp: agents.acp,
      webSearch: web.search,
      toolsHash: toolsHashOf(scripts.files, atip.entries),
    },
    paths: [...scripts.files.flatMap(({ paths }) => paths), ...atip.paths],
    contents: [...scripts.files.map(contentOf), ...atip.entries.map(hashOf)],
    rules: [...atip.rules, ...modeRules(raw)],
    secrets: scripts.secrets,
    problems: [...inConfig.map((problem) => placed(problem, config)), ...atip.problems, ...scripts.problems],
    notes: [...notes, ...agents.notes].map((note) => placed(note, config)),
  };
}

/** A file as it is shown and accepted beside the config that names it. */
export const contentOf = ({ name, text }: Pick<RulesFile, "name" | "text">): string =>
  `\n# ${quoted(name)}, SHA-256 ${digestOfText(text)}\n${text}`;

const hashOf = ({ file, textHash, leaves }: AtipEntry): string =>
  `\n# ${quoted(file)}, SHA-256 ${textHash}: ${leaves.length} commands\n`;
