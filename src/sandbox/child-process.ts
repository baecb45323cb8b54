/** Not imported: most commands start no program, and Node's module costs them a few milliseconds. */
export const childProcess = () => process.getBuiltinModule("node:child_process");
