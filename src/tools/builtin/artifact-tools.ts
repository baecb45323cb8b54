import type { Tool } from "../../domain/call.ts";
import { fetchArtifactTool } from "./artifacts/fetch-artifact.ts";
import { type PublishPorts, publishArtifactTool } from "./artifacts/publish-artifact.ts";

/** The group `artifacts` of the built-in tools. */
export const artifactTools = (ports: PublishPorts): readonly Tool[] => [
  publishArtifactTool(ports),
  fetchArtifactTool(ports),
];
