import type { GovernorSpecs } from "../domain/governor-spec.ts";
import { GOVERNORS_FILE_SCHEMA } from "./governors-schema.ts";

const SETTINGS = GOVERNORS_FILE_SCHEMA.properties.settings.properties;

/** Where no file names any. */
export const NO_GOVERNORS: GovernorSpecs = {
  specs: [],
  settings: { stopOnFirstReject: SETTINGS.stop_on_first_reject.default, autoDecision: SETTINGS.auto_decision.default },
  hash: null,
};
