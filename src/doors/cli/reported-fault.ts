/** A fault that is in the fault log already: `main` must not print its cause again, which nobody has redacted. */
export class ReportedFault extends Error {}
