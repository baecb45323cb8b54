// Changes a.txt, creates b.txt, moves from.txt to to.txt and deletes gone.txt, all together, and kills itself right
// before the n-th call that publishes one of them. Ends by itself once there is no such call.
// node dies-while-changing.ts <workspace> <n>

import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";

const [workspace = "", n = "0"] = process.argv.slice(2);
let calls = 0;
for (const name of ["linkSync", "renameSync", "unlinkSync"] as const) {
  const real = fs[name];
  fs[name] = (...given: unknown[]) => {
    calls += 1;
    if (calls === Number(n)) process.kill(process.pid, "SIGKILL");
    return Reflect.apply(real, fs, given);
  };
}
syncBuiltinESMExports();

const { openFiles } = await import("../../src/files/open-files.ts");
const { locate, digest, change } = openFiles({ workspace });

const changeOf = async (rawPath: string, text: string | null) => {
  const located = await locate(rawPath);
  if (!located.ok) throw new Error(located.fault.message);
  const before = await digest(located.value.path);
  if (!before.ok) throw new Error(before.fault.message);
  return { path: located.value.path, before: before.value, content: text === null ? null : Buffer.from(text) };
};

const changed = await change([
  await changeOf("a.txt", "new"),
  await changeOf("b.txt", "new"),
  await changeOf("from.txt", null),
  await changeOf("to.txt", "moved"),
  await changeOf("gone.txt", null),
]);
if (!changed.ok) throw new Error(changed.fault.message);
