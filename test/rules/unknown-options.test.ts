import { describe, expect, it } from "vitest";
import { compileRules } from "../../src/rules/rule-set.ts";
import { allowing, decisionOn, rulesFrom, WORKSPACE } from "../shell/judged.ts";

/** Words that a program may read as an option, whatever it is, with a value that names what it would run. */
const MAY_BE_OPTIONS = [
  "-x",
  "-xrm",
  "--",
  "--run=rm",
  "--run rm",
  "-run:rm",
  "@rm",
  "+rm",
  "RUN=rm",
  "core.run=rm",
  "a x -r rm",
];

/** Names that no table has, and never will. */
const INVENTED = Array.from({ length: 40 }, (_, n) => `zq${(n * 7919).toString(36)}x${n}`);

describe("a program that no table knows", () => {
  it.each(INVENTED)("takes operands by a wildcard and no options: %s", (name) => {
    const commands = [name, `./bin/${name}`, `/usr/bin/${name}`];
    for (const command of commands) {
      const rules = allowing([command], { dynamic: true });
      for (const words of MAY_BE_OPTIONS)
        expect([command, words, decisionOn(rules, `${command} ${words}`)]).not.toContain("allow");
      expect(decisionOn(rules, `${command} "$x"`)).not.toBe("allow");
    }
    const rules = allowing([name]);
    for (const words of ["", "a", "a/b.txt c", "-", "a -", "--version", "'https://h/?a=b'", "'a b'", "a-b 1 :x"])
      expect([words, decisionOn(rules, `${name} ${words}`)]).toEqual([words, "allow"]);
  });

  it.each(["git", "cargo", "biome", "ruff", "go", "gh"])("the same for a subcommand: %s", (program) => {
    for (const sub of INVENTED) {
      expect(decisionOn(allowing([program]), `${program} ${sub}`)).not.toBe("allow");
      const rules = allowing([`${program} ${sub}`]);
      expect(decisionOn(rules, `${program} ${sub} a`)).toBe("allow");
      for (const words of MAY_BE_OPTIONS)
        expect([words, decisionOn(rules, `${program} ${sub} ${words}`)]).not.toContain("allow");
    }
  });

  it.each([
    "curl",
    "wget",
    "jest",
    "vitest",
    "mocha",
    "eslint",
    "prettier",
    "tsc",
    "pytest",
    "mypy",
    "ruff check",
    "java",
    "gcc",
    "rsync",
    "make",
    "cargo build",
    "npm test",
    "go test",
    "kubectl get",
    "psql",
    "mysql",
    "man",
    "less",
    "openssl x509",
    "cmake",
    "mvn",
  ])("an option that the entry of a program does not have: %s", (program) => {
    for (const name of INVENTED)
      for (const option of [`--${name}`, `--${name}=rm`])
        expect([option, decisionOn(allowing([program]), `${program} ${option} rm`)]).not.toContain("allow");
  });

  it.each([
    "node a.js",
    "python3 a.py",
    "bash a.sh",
    "java -jar a.jar",
    "npm run a --",
    "yarn a",
    "pnpm run a",
    "cargo test --",
    "npx zq",
    "uv run zq",
    "python3 -m zq",
    "poetry run ./zq",
  ])("a script that another program runs: %s", (command) => {
    const rules = allowing([command.split(" --", 1)[0] ?? ""]);
    expect(decisionOn(rules, command.replace(/ --$/, " b"))).toBe("allow");
    for (const words of MAY_BE_OPTIONS)
      expect([words, decisionOn(rules, `${command} ${words}`)]).not.toContain("allow");
  });
});

describe("what was seen", () => {
  it.each([
    "git filter-branch --tree-filter 'rm x'",
    "git mergetool --tool=rm",
    "git send-email --sendmail-cmd='rm x' a",
    "git instaweb --httpd='rm x'",
    "git help --web git",
    "git credential --x",
    "git am --directory=/ a",
    "git svn --authors-prog=rm fetch",
    "git p4 --x=rm sync",
    "git difftool -x 'rm x'",
    "git -- am --x a",
    "ugrep --filter='*:rm' a",
    "cloc --extract-with='rm x' a",
    "cppcheck --clang=./rm a.c",
    "mypy --python-executable ./rm a.py",
    "mypy --python-exec=./rm a.py",
    "mypy @rm",
    "gcovr --gcov-executable ./rm",
    "lcov --gcov-tool ./rm -c -d .",
    "protoc --plugin=protoc-gen-a=./rm --a_out=. a.proto",
    "gem open -e ./rm a",
    "chrome --renderer-cmd-prefix=rm",
    "chromium --utility-cmd-prefix=rm a",
    "java -XX:OnError='rm x' A",
    "java -XX:+UnlockDiagnosticVMOptions -XX:OnOutOfMemoryError=rm A",
    "java @rm",
    "vim.tiny -c ':!rm x' a",
    "vim.basic +':!rm' a",
    "eslint -c rm.js a",
    "eslint --rulesdir rm a",
    "jest --config rm.js",
    "jest --globalSetup ./rm.js",
    "pytest -p rm",
    "pytest -prm",
    "pytest @rm",
    "mocha --require ./rm.js",
    "mocha --reporter ./rm.js",
    "vitest --config=rm.ts",
    "curl --url-query @FILE https://h",
    "curl --proxy-header @FILE https://h",
    "curl --url-q @FILE https://h",
    "npm test -- --config=rm.js",
    "yarn jest --config rm.js",
    "npx jest --config rm.js",
    "python3 -m pytest -p rm",
    "uv run pytest -p rm",
    "clang -fpass-plugin=./rm.so a.c",
    "cmake -DCMAKE_TOOLCHAIN_FILE=rm.cmake .",
    "mvn test -DargLine=-javaagent:rm.jar",
    "gradle build -Dorg.gradle.jvmargs=-javaagent:rm.jar",
    "git push --repo='ext::sh -c rm' main",
    "git blame --output=x a",
    "git apply --build-fake-ancestor=x a",
    "psql -v PROMPT1='%`rm x`' h",
    "psql --set=PROMPT1='%`rm x`' h",
    "tree -R -H . -L 1",
    "perl -F'/(?{rm})/' -lane 1 a",
    "rpm -i a.rpm",
    "terraform apply -var x=y",
    "ansible-playbook -e x=y a.yml",
  ])("%s", (line) => {
    const words = line.split(" ");
    for (const beginning of [words[0] ?? "", ...(/^\w[\w-]*$/.test(words[1] ?? "") ? [`${words[0]} ${words[1]}`] : [])])
      expect([beginning, decisionOn(allowing([beginning], { dynamic: true }), line)]).not.toContain("allow");
  });
});

describe("usual commands need no more than their program's name", () => {
  it.each([
    "ls -la --color=auto src",
    "cat -n a && head -5 b && tail -n 20 -f c",
    "grep -rn --include='*.ts' -E 'a|b' src",
    "rg -n --hidden -g '!node_modules' x src",
    "find . -name '*.ts' -mtime -1 -print0",
    "git switch -c feature",
    "git checkout -b x -- a",
    "git log --oneline -n 5 --graph --all -- src",
    "git diff --stat --cached -M",
    "git commit -am 'x' --no-verify",
    "git --no-pager show --name-only HEAD",
    "git branch -D a && git stash push -u -m x",
    "git rebase --continue",
    "cp -r a b && mv -f a b && rm -rf a && mkdir -p a/b",
    "chmod -R u+w a && ln -sf a b && touch -d now a",
    "ps aux && ps -ef --forest && kill -9 1",
    "du -sh a && df -h && wc -l a",
    "sort -k2,2 -t, a && uniq -c a && cut -d, -f1 a && tr -d '\\n'",
    "diff -u a b && cmp -s a b && stat -c %s a",
    "tar tzv",
    "curl -fsSL https://h",
    "curl -s -X GET -I https://h",
    "npm ci --no-audit && npm run lint --silent && npm ls --depth=0",
    "npm run build -w pkg",
    "yarn install --frozen-lockfile && yarn build",
    "pnpm --filter a build && pnpm install --frozen-lockfile",
    "npx tsc --noEmit && npx eslint src --fix && npx prettier --check .",
    "tsc -p tsconfig.json --noEmit && eslint --max-warnings=0 --ext .ts src",
    "jest --coverage -t 'name' && vitest run --reporter=dot && mocha --recursive --reporter=spec",
    "pytest -q -x -k name tests && python3 -m pytest -vv --maxfail=1 --tb=short",
    "mypy --strict src && ruff check --fix . && black --check -l 100 .",
    "uv run pytest -q && poetry run pytest -x",
    "go test -race -run TestX ./... && go build -v ./...",
    "cargo build --release && cargo test --workspace -j 4 && cargo clippy --all-targets",
    "make -j8 -s all",
    "gcc -O2 -Wall -Wextra -std=c11 -Iinclude -DX=1 -g -c a.c -o a.o",
    "gcc a.o -lm -o a",
    "cmake -S . -B build -DCMAKE_BUILD_TYPE=Release && cmake --build build -j 4",
    "mvn -q -B test -Dtest=A && gradle test --info",
    "docker ps -a && docker logs -f --tail 10 a",
    "kubectl get pods -n a -o wide",
    "gh pr list --json title --limit 5",
    "jq -r '.a' a && awk -F, '{print $1}' a && sed -n 1,5p a && sed -E 's/a/b/' a",
    "python3 -u a.py x && node --test a.js && bash -e a.sh",
    "psql -X -At -v ON_ERROR_STOP=1 -c 'select 1'",
    "pip list --outdated && python3 -m pip show -f a",
    "ssh-keygen -l -f a && openssl x509 -in a -noout -dates",
    "systemctl status a --no-pager && journalctl -u a -n 20 --no-pager",
    "rpm -qi a && rpm -qa",
    "mytool --version && ./mytool --help",
  ])("%s", (line) => {
    const programs = [...new Set(line.split(/&&/).map((command) => command.trim().split(" ")[0] ?? ""))];
    const behind = line.includes("uv run") ? ["uv run", "poetry run"] : [];
    expect(decisionOn(allowing([...programs, ...behind], { dynamic: true }), line)).toBe("allow");
  });
});

describe("a rule that says so", () => {
  it("covers an option that its pattern has, and its value, and no other option", () => {
    const rules = rulesFrom({
      id: "a",
      effect: "allow",
      touch: { exec: ["jest --config jest.ci.js **", "mytool --port *"] },
    });
    expect(decisionOn(rules, "jest --config jest.ci.js a")).toBe("allow");
    expect(decisionOn(rules, "jest --config evil.js a")).toBe("deny");
    expect(decisionOn(rules, "mytool --port 80")).toBe("allow");
    expect(decisionOn(rules, "mytool --port --run=rm")).toBe("deny");
  });

  it("covers every option of its program with `options: any`, except those that are known to do harm", () => {
    const rules = rulesFrom({ id: "a", effect: "allow", options: "any", touch: { exec: ["mytool **", "git **"] } });
    expect(decisionOn(rules, "mytool -x --run=rm @a b=c")).toBe("allow");
    expect(decisionOn(rules, "other -x")).toBe("deny");
    expect(decisionOn(rules, "git -c core.pager=rm log")).toBe("deny");
    expect(decisionOn(rules, "git am --x a")).toBe("deny");
  });

  it("says `options` only where it means something, and for programs that it names", () => {
    const problems = (rule: object) => {
      const compiled = compileRules([{ id: "a", effect: "allow", ...rule } as never], { workspace: WORKSPACE });
      return compiled.ok ? [] : compiled.problems.map(({ field }) => field);
    };
    expect(problems({ options: "any", touch: { exec: ["mytool **"] } })).toEqual([]);
    expect(problems({ options: "any", touch: { exec: ["mytool **", "**"] } })).toEqual(["options"]);
    expect(problems({ options: "any", touch: { exec: ["* --x"] } })).toEqual(["options"]);
    expect(problems({ options: "any", touch: { read: ["./a"] } })).toEqual(["options"]);
    expect(problems({ options: "any" })).toEqual(["options"]);
    expect(problems({ effect: "ask", options: "any", touch: { exec: ["mytool **"] } })).toEqual(["options"]);
  });

  it("and denies or asks cover every option without it", () => {
    for (const effect of ["ask", "deny"] as const) {
      const rules = rulesFrom(
        { id: "a", effect, touch: { exec: ["mytool **", "git am **"] } },
        { id: "b", effect: "allow" },
      );
      expect(decisionOn(rules, "mytool --x")).toBe(effect);
      expect(decisionOn(rules, "mytool -- @a b=c")).toBe(effect);
      expect(decisionOn(rules, "git am --x a")).toBe(effect);
    }
  });
});
