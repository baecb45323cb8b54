import type { ErrorObject } from "ajv";

/** An error with those of the schemas inside its keyword. */
export interface NestedError {
  readonly error: ErrorObject;
  readonly inner: readonly NestedError[];
}

/** Ajv's flat list, in which an enclosing error follows its inner ones, as a forest. */
export function nested(errors: readonly ErrorObject[]): readonly NestedError[] {
  const roots: (NestedError & { readonly size: number })[] = [];
  for (const error of errors) {
    const wanted = (error.params["inner"] as number | undefined) ?? 0;
    let first = roots.length;
    let size = 0;
    for (let root = roots[first - 1]; root !== undefined && size < wanted; root = roots[first - 1]) {
      if (isSibling(root.error, error)) break;
      size += root.size;
      first--;
    }
    roots.push({ error, inner: roots.splice(first), size: size + 1 });
  }
  return roots;
}

/** `propertyNames` counts from its first name, and so each of its errors counts the ones before as its own. */
const isSibling = (a: ErrorObject, b: ErrorObject): boolean =>
  a.keyword === b.keyword && a.parentSchema === b.parentSchema && a.instancePath === b.instancePath;
