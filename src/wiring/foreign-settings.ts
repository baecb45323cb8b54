import { type ForeignPlace, openForeignSettings } from "../config/foreign-settings.ts";
import { withMember } from "../config/jsonc-edit.ts";
import { withTable } from "../config/toml-edit.ts";
import type { JsonObject } from "../domain/json.ts";

/** What is put into another program's settings: a member of an object of JSON, or a table of TOML. */
export type ForeignEntry =
  | { readonly group: string; readonly name: string; readonly value: JsonObject }
  | { readonly table: string; readonly text: string };

export type EditedForeign =
  | {
      readonly ok: true;
      readonly before: string;
      readonly after: string;
      /** Null: it is in place. */
      readonly save: () => string | null;
    }
  | { readonly ok: false; readonly message: string };

/** What those settings would be with the entry; nothing is written before `save`. */
export function editForeign(place: ForeignPlace, entry: ForeignEntry): EditedForeign {
  const settings = openForeignSettings(place);
  if (!settings.ok) return settings;
  const before = settings.text ?? "";
  const edited =
    "table" in entry
      ? withTable(before, entry.table, entry.text)
      : withMember(before.trim() === "" ? "{}\n" : before, entry.group, entry.name, entry.value);
  if (!edited.ok) return edited;
  return { ok: true, before, after: edited.text, save: () => settings.save(edited.text) };
}
