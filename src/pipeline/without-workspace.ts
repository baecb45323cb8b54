/** A message with the workspace's paths relative to it: where on the machine the workspace is, is not told outside. */
export function withoutWorkspace(message: string, workspace: string): string {
  if (workspace === "/" || !message.includes(workspace)) return message;
  // Not in the middle of another path (`/mnt/w/a`), nor where another name only begins like it (`/w2`, `/w.bak`).
  const own = new RegExp(`(?<![\\w./~-])${escaped(workspace)}(?:(/+)(?=[^\\s"'\`/])|/*(?![\\w/~-]|\\.\\w))`, "g");
  return message.replace(own, (_, inside) => (inside === undefined ? "." : ""));
}

const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
