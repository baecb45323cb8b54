import { DEFAULT_CONFIG } from "./default-config.ts";
import { RISK_CONFIG } from "./risk-config.ts";

/** The configs that `toolgate init` can write. */
export const PROFILES = {
  workspace: {
    text: DEFAULT_CONFIG,
    says: "reading is allowed, also by commands that only read; writing and other commands are asked about, the rest is refused",
  },
  risk: {
    text: RISK_CONFIG,
    says: "what is of low risk is allowed, of medium or high risk asked about, the rest refused",
  },
} as const;

export type ProfileName = keyof typeof PROFILES;

export const isProfileName = (name: string): name is ProfileName => Object.hasOwn(PROFILES, name);
