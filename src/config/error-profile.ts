import { ERROR_PROFILES, type ErrorProfile } from "../domain/script-tool.ts";
import { quoted } from "../domain/visible.ts";
import type { RawConfig, ShapeProblem } from "./config-shape.ts";
import type { Variables } from "./variables.ts";

/** The variable that the A2A-ACP seed names. The config's own word comes first. */
const VARIABLE = "A2A_ERROR_PROFILE";

export function errorProfileFrom(
  { errorProfile }: RawConfig,
  variables: Variables,
): { readonly profile: ErrorProfile; readonly problems: readonly ShapeProblem[] } {
  const given = errorProfile ?? variables[VARIABLE] ?? "";
  const known = ERROR_PROFILES.find((profile) => profile === given);
  if (known !== undefined || given === "") return { profile: known ?? "acp-basic", problems: [] };
  const message = `the variable \`${VARIABLE}\` names the error profile ${quoted(given)}, which there is not`;
  const hint = `use ${ERROR_PROFILES.map((profile) => `\`${profile}\``).join(" or ")}`;
  return { profile: "acp-basic", problems: [{ path: [], what: "value", message, hint }] };
}
