import type { TemplateSection } from "./template.ts";

/** What names mean inside a section. */
export interface Scope<T> {
  /** The parameter that they come from, through however many sections. */
  readonly parameter: string;
  readonly names: Readonly<Record<string, T>>;
}

/** The scopes that have a name, the innermost first: what it means is decided here, for a check and for a call. */
export const scopesOf = <T>(name: string, scopes: readonly Scope<T>[]): readonly Scope<T>[] =>
  scopes.toReversed().filter(({ names }) => Object.hasOwn(names, name));

/** Whether a section gives a name to what stands inside it, before there is a value. */
export type Gives = "surely" | "perhaps";

/** What a template has to know of a parameter's type to tell what its section gives. */
export type TypeOf = (name: string) => string | undefined;

/** Nobody's name: it is not known which of several parameters a slot is. */
export const UNCLEAR = "";

/** The parameter that a name stands for, and whether it is a section's. */
export function parameterOf(
  name: string,
  scopes: readonly Scope<Gives>[],
): { readonly parameter: string; readonly isOfSection: boolean } {
  const giving = scopesOf(name, scopes);
  const sure = giving.findIndex(({ names }) => names[name] === "surely");
  const possible = giving.slice(0, sure === -1 ? giving.length : sure + 1).map(({ parameter }) => parameter);
  const [first = name, ...others] = new Set(sure === -1 ? [...possible, name] : possible);
  return { parameter: others.length === 0 ? first : UNCLEAR, isOfSection: giving.length > 0 };
}

/** What a section means by its names: of what is inside a list or an object nobody knows what it is. */
export function scopeOf(section: TemplateSection, scopes: readonly Scope<Gives>[], typeOf: TypeOf): Scope<Gives> {
  const { parameter, isOfSection } = parameterOf(section.name, scopes);
  if (section.inverted) return { parameter, names: {} };
  const type = isOfSection ? undefined : typeOf(parameter);
  if (type === "object") return { parameter, names: { key: "surely", value: "surely" } };
  if (type !== undefined) return { parameter, names: { ".": "surely" } };
  return { parameter, names: { ".": "perhaps", key: "perhaps", value: "perhaps" } };
}
