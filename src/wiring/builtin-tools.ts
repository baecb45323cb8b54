import type { BuiltinSet } from "../domain/builtin-names.ts";
import type { Tool } from "../domain/call.ts";
import { artifactTools } from "../tools/builtin/artifact-tools.ts";
import type { PublishPorts } from "../tools/builtin/artifacts/publish-artifact.ts";
import { type FileToolPorts, fileTools } from "../tools/builtin/file-tools.ts";
import { type GitPorts, gitTool } from "../tools/builtin/git/git.ts";
import { type InferenceToolPorts, inferenceTools } from "../tools/builtin/inference-tools.ts";
import { shellTools } from "../tools/builtin/shell-tools.ts";
import { type WebToolPorts, webTools } from "../tools/builtin/web-tools.ts";

type Ports = FileToolPorts & GitPorts & WebToolPorts & PublishPorts & InferenceToolPorts;

const SETS: { readonly [Set in BuiltinSet]: (ports: Ports) => readonly Tool[] } = {
  files: fileTools,
  shell: shellTools,
  git: (ports) => [gitTool(ports)],
  web: webTools,
  artifacts: artifactTools,
  inference: inferenceTools,
};

/** The tools that the gate brings along, as far as the configuration wants them, always in the same order. */
export const builtinTools = (wanted: readonly BuiltinSet[], ports: Ports): readonly Tool[] =>
  (Object.keys(SETS) as BuiltinSet[]).filter((set) => wanted.includes(set)).flatMap((set) => SETS[set](ports));
