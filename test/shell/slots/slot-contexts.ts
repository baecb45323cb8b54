// biome-ignore-all lint/suspicious/noTemplateCurlyInString: it is bash, and no JavaScript

/** Places of a slot from which a value has to arrive as it is. Each hands it to `arrive`, a function of the driver. */
export const CONTEXTS: Readonly<Record<string, string>> = {
  bare: "arrive {{x}}",
  "in double quotes": 'arrive "{{x}}"',
  "in the middle of double quotes": 'arrive "<{{x}}>"',
  "in single quotes": "arrive '{{x}}'",
  "in the middle of single quotes": "arrive '<$HOME {{x}} `id`>'",
  "in ANSI-C quotes": "arrive $'{{x}}'",
  "glued to other text": "arrive a={{x}}.txt",
  "in a heredoc": "IFS= read -r -d '' y <<EOF\n{{x}}.\nEOF\narrive \"${y%.*}\"",
  "in a heredoc with tabs": "IFS= read -r -d '' y <<-EOF\n\t<{{x}}>.\n\tEOF\narrive \"${y%.*}\"",
  "in a here-string": 'IFS= read -r -d \'\' y <<< "{{x}}."\narrive "${y%.*}"',
  "bare in a here-string": "IFS= read -r -d '' y <<< {{x}}\narrive \"${y%$'\\n'}\"",
  "in a command substitution": "y=$(printf '%s.' {{x}})\narrive \"${y%.}\"",
  "in a quoted command substitution": 'y="$(printf \'%s.\' "{{x}}")"\narrive "${y%.}"',
  "two substitutions deep": "y=\"$(printf '%s' \"$(printf '%s.' '{{x}}')\")\"\narrive \"${y%.}\"",
  "in a process substitution": "IFS= read -r -d '' y < <(printf '%s\\0' {{x}})\narrive \"$y\"",
  "as the value of a variable": 'y={{x}}\narrive "$y"',
  "as an element of a list": 'y=({{x}} "{{x}}" z)\narrive "${y[1]}"',
  "as the word of a case": 'case {{x}} in "a value that is nowhere") arrive no ;; *) arrive {{x}} ;; esac',
  "as the pattern of a case": 'y="{{x}}"\ncase "$y" in {{x}}) arrive "$y" ;; *) arrive no ;; esac',
  "compared in [[ ]]": 'y="{{x}}"\nif [[ "$y" == {{x}} ]]; then arrive "$y"; else arrive no; fi',
  "on the left in [[ ]]": 'if [[ {{x}} != "" || -z {{x}} ]]; then arrive {{x}}; fi',
  "compared by test": 'y="{{x}}"\nif [ "<{{x}}>" = "<$y>" ]; then arrive "$y"; fi',
  "in a loop": 'for y in {{x}}; do arrive "$y"; done',
  "in a subshell": "(arrive {{x}})",
  "in a function": 'f() { arrive "$1"; }\nf {{x}}',
  "in a variable of one command": 'y={{x}} arrive "{{x}}"',
};

/** Contexts in which bash starts another one for each value, which takes time. */
export const FORKS: ReadonlySet<string> = new Set(
  Object.entries(CONTEXTS).flatMap(([name, template]) => (/\$\(|<\(|^\(/.test(template) ? [name] : [])),
);

/** What arrives where the context has text of its own around the slot. */
export const arrived = (context: string, value: string): string => {
  switch (context) {
    case "in the middle of double quotes":
      return `<${value}>`;
    case "in a heredoc with tabs":
      return `<${value}>`;
    case "in the middle of single quotes":
      return `<$HOME ${value} \`id\`>`;
    case "glued to other text":
      return `a=${value}.txt`;
    default:
      return value;
  }
};

/** As a template engine would do it that knows nothing of the shell. */
export const pasted = (template: string, value: string): string => template.replaceAll("{{x}}", () => value);

/** As one would do it that quotes, and does not look at the quotes around the slot. */
export const pastedInQuotes = (template: string, value: string): string =>
  pasted(template, `'${value.replaceAll("'", `'\\''`)}'`);
