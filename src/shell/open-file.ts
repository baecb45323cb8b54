/** A file that is open already, `/dev/stdin` or `/proc/self/fd/0`; nobody keeps scripts among the others. */
const OPEN = /^(?:dev|proc)\/(?!null$)/;

/** Whether a program that is given this word reads what somebody feeds it, and no file of that name: however it is written. */
export const isOpenFile = (word: string): boolean =>
  word === "-" || (word.startsWith("/") && OPEN.test(namesIn(word).join("/")));

function namesIn(path: string): readonly string[] {
  const names: string[] = [];
  for (const name of path.split("/")) {
    if (name === "..") names.pop();
    else if (name !== "" && name !== ".") names.push(name);
  }
  return names;
}
