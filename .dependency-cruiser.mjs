// Rules for dependency-cruiser, generated from the folder table in scripts/folders.mjs.

import { CONSOLE_IMPORTS, FOLDERS, INDEX_IMPORTS, RESERVED_BUILTINS } from "./scripts/folders.mjs";

const anyOf = (names) => `(${names.join("|")})`;
const within = (folders) => `^src/${anyOf(folders)}/`;
const builtin = (modules) => `^(node:)?${anyOf(modules)}(/|$)`;

const tableRules = Object.entries(FOLDERS).map(([name, { imports }]) => ({
  name: `${name}-imports`,
  comment: `${name}/ may import ${imports.join(", ") || "nothing"} (scripts/folders.mjs)`,
  severity: "error",
  from: { path: within([name]) },
  to: { path: "^src/", pathNot: within([name, ...imports]) },
}));

const pureRules = Object.entries(FOLDERS)
  .filter(([, { builtins }]) => builtins !== undefined)
  .map(([name, { builtins }]) => ({
    name: `${name}-is-pure`,
    comment: `${name}/ is pure: of the Node modules it may import ${builtins.join(", ") || "none"}`,
    severity: "error",
    from: { path: within([name]) },
    to: { dependencyTypes: ["core"], ...(builtins.length > 0 && { pathNot: builtin(builtins) }) },
  }));

const reservedRules = RESERVED_BUILTINS.map(({ modules, folders, but = [], because }) => ({
  name: `reserved-${modules[0]}`,
  comment: because,
  severity: "error",
  from: { path: "^src/", pathNot: [within(folders), ...but.map((file) => `^src/${file}$`)] },
  to: { dependencyTypes: ["core"], path: builtin(modules) },
}));

export default {
  forbidden: [
    ...tableRules,
    ...pureRules,
    ...reservedRules,
    {
      name: "index-imports",
      comment: `index.ts is the library door and may import ${INDEX_IMPORTS.join(", ")}`,
      severity: "error",
      from: { path: "^src/index\\.ts$" },
      to: { path: "^src/", pathNot: within(INDEX_IMPORTS) },
    },
    {
      name: "console-imports",
      comment: `console/ runs in browsers: it may import ${CONSOLE_IMPORTS.join(", ")} of src/, and no package`,
      severity: "error",
      from: { path: "^console/" },
      to: { path: ".", pathNot: ["^console/", within(CONSOLE_IMPORTS)] },
    },
    {
      name: "doors-apart",
      comment:
        "doors never import each other; what they share is in doors/wire/, doors/serve/ puts those of the network on one server, " +
        "and the command line may start them",
      severity: "error",
      from: { path: "^src/doors/((?!cli/|serve/)[^/]+)/" },
      to: { path: "^src/doors/", pathNot: ["^src/doors/$1/", "^src/doors/wire/"] },
    },
    {
      name: "serve-from-cli",
      comment: "only the command line starts the server; a door that imported it would import all others",
      severity: "error",
      from: { path: "^src/", pathNot: ["^src/doors/serve/", "^src/doors/cli/"] },
      to: { path: "^src/doors/serve/" },
    },
    { name: "no-cycles", comment: "no import cycles", severity: "error", from: {}, to: { circular: true } },
    {
      name: "resolves",
      comment: "every import can be found",
      severity: "error",
      from: { path: "^src/" },
      to: { couldNotResolve: true },
    },
    {
      name: "product-only",
      comment: "src/ imports neither development packages nor code outside src/",
      severity: "error",
      from: { path: "^src/" },
      to: { dependencyTypes: ["npm-dev", "npm-no-pkg", "npm-unknown"] },
    },
    {
      name: "inside-src",
      comment: "src/ imports no code of ours outside src/",
      severity: "error",
      from: { path: "^src/" },
      to: { path: "^(test|bench|scripts|bin|examples|console|runtime)/" },
    },
  ],
  options: {
    tsPreCompilationDeps: true, // an import of a type is an import: layers hold for types as well
    doNotFollow: { path: "node_modules" },
    // As Node resolves an import: a package may have nothing but `default`.
    enhancedResolveOptions: { exportsFields: ["exports"], conditionNames: ["import", "require", "node", "default"] },
  },
};
