/** Say something to readers and nothing about values. */
const ANNOTATIONS = new Set([
  ...["$schema", "$id", "$comment", "title", "description", "default", "examples"],
  ...["deprecated", "readOnly", "writeOnly", "contentEncoding", "contentMediaType", "contentSchema"],
]);

export const isAnnotation = (name: string): boolean => ANNOTATIONS.has(name) || name.startsWith("x-");
