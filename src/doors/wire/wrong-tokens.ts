import { LIMITS } from "../../domain/limits.ts";
import { problem } from "./problem.ts";

const MINUTE_MS = 60_000;
const CHALLENGE = { "WWW-Authenticate": 'Bearer realm="toolgate"' } as const;

/** Turns away who has no token, and slows down who tries many. What was tried is written nowhere. */
export class WrongTokens {
  readonly #nowMs: () => number;
  readonly #tell: (tried: number) => void;
  #minute = 0;
  #tried = 0;

  /** `tell` hears of the first wrong one of each minute, and of the first that is one too many. */
  constructor(nowMs: () => number, tell: (tried: number) => void) {
    this.#nowMs = nowMs;
    this.#tell = tell;
  }

  missing(): Response {
    return problem("AUTH_REQUIRED", {
      detail: "send a token: `Authorization: Bearer …`",
      hint: "the administrator's is in `admin.token` of the state directory",
      headers: CHALLENGE,
    });
  }

  refusal(): Response {
    const minute = Math.floor(this.#nowMs() / MINUTE_MS);
    if (minute !== this.#minute) this.#tried = 0;
    this.#minute = minute;
    this.#tried++;
    const max = LIMITS.wrongTokensPerMinute.default;
    if (this.#tried === 1 || this.#tried === max + 1) this.#tell(this.#tried);
    return this.#tried <= max
      ? problem("AUTH_REQUIRED", { detail: "nobody has this token", headers: CHALLENGE })
      : problem("TOO_MANY_REQUESTS", { detail: "too many wrong tokens", retryAfterSeconds: this.#restSeconds() });
  }

  #restSeconds(): number {
    return Math.ceil((MINUTE_MS - (this.#nowMs() % MINUTE_MS)) / 1000);
  }
}
