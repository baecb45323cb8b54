/** What storing and reading again what was stored is, to a lease. */
export const PUBLISH_TOOL = "publish_artifact";
