import type { JsonObject, JsonValue } from "../../domain/json.ts";
import type { Identity } from "../wire/identity.ts";
import type { DoorParts } from "../wire/server-env.ts";
import type { A2aError, A2aReason } from "./a2a-error.ts";

/** A request, whichever binding it came by. Nothing in `params` has been checked. */
export interface Asked {
  readonly params: JsonValue;
  readonly identity: Identity;
  readonly parts: DoorParts;
  /** Of this server, as the client reached it. */
  readonly origin: string;
  /** A name for the call, so that sending it again is not making it twice. Empty: none. Null: it can't be one. */
  readonly key: string | null;
  /** Aborts when whoever asked is gone, or the server stops. */
  readonly gone: AbortSignal;
}

export type Answer =
  | { readonly kind: "result"; readonly result: JsonObject }
  | { readonly kind: "stream"; readonly items: AsyncGenerator<JsonObject, void, void> }
  | { readonly kind: "error"; readonly error: A2aError }
  /** Who asked is nobody any more: in the words of the guards. */
  | { readonly kind: "gone"; readonly response: Response };

export type Operation = (asked: Asked) => Promise<Answer> | Answer;

export const result = (value: JsonObject): Answer => ({ kind: "result", result: value });

export const failed = (
  reason: A2aReason,
  message: string,
  more: Omit<A2aError, "reason" | "message"> = {},
): Answer => ({
  kind: "error",
  error: { reason, message, ...more },
});

/** Also of a task that is there, and somebody else's. */
export const noSuchTask = (): Answer => failed("TASK_NOT_FOUND", "there is no task with this id");

export const needsRole = (role: string): Answer => failed("PERMISSION_DENIED", `this needs the role \`${role}\``);
