/** What is said of values in code, and what to write instead. */
export const WRITTEN_OUT = "write the code out, and give the value as an argument, a variable or a file";
export const PART = "it would be a part of a statement that is written out, and could change what the rest of it says";
export const WHOLE =
  "let the value be the whole statement, or give it by digits: `h=$(printf %s {{x}} | basenc --base16 -w0)` and `cast(x'$h' as text)`";
export const WHOLE_PATH =
  "write the whole path of what is run, or go there in a subshell of its own: `(cd {{x}} && …)`";
