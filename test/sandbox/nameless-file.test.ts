import { fstatSync } from "node:fs";
import { expect, it } from "vitest";
import { openContent } from "../../src/sandbox/nameless-file.ts";

it.each([0o600, 0o777])("has the mode %i, whatever the umask is", (mode) => {
  using file = openContent("content", mode);
  expect(fstatSync(file.fd).mode & 0o777).toBe(mode);
});
