/** What an address is for. Only `public` ones are on the internet, for everybody to reach. */
export type AddressKind =
  | "public"
  | "unspecified"
  | "loopback"
  | "private"
  | "link-local"
  | "shared"
  | "multicast"
  | "metadata"
  | "reserved";

type Range = readonly [network: string, bits: number, kind: AddressKind];

/** The IANA registry of special-purpose addresses, and what clouds tell their machines' secrets at. */
const V4: readonly Range[] = [
  ["0.0.0.0", 8, "unspecified"],
  ["10.0.0.0", 8, "private"],
  ["100.64.0.0", 10, "shared"],
  ["127.0.0.0", 8, "loopback"],
  ["168.63.129.16", 32, "metadata"],
  ["169.254.0.0", 16, "link-local"],
  ["172.16.0.0", 12, "private"],
  ["192.0.0.0", 24, "reserved"],
  ["192.0.2.0", 24, "reserved"],
  ["192.31.196.0", 24, "reserved"],
  ["192.52.193.0", 24, "reserved"],
  ["192.88.99.0", 24, "reserved"],
  ["192.168.0.0", 16, "private"],
  ["192.175.48.0", 24, "reserved"],
  ["198.18.0.0", 15, "private"],
  ["198.51.100.0", 24, "reserved"],
  ["203.0.113.0", 24, "reserved"],
  ["224.0.0.0", 4, "multicast"],
  ["240.0.0.0", 4, "reserved"],
];

/** Outside 2000::/3 nothing is public; these are the exceptions inside it, and the names for what is outside. */
const V6: readonly Range[] = [
  ["::", 128, "unspecified"],
  ["::1", 128, "loopback"],
  ["fc00::", 7, "private"],
  ["fe80::", 10, "link-local"],
  ["fec0::", 10, "private"],
  ["ff00::", 8, "multicast"],
  ["2001::", 23, "reserved"],
  ["2001:db8::", 32, "reserved"],
  ["3fff::", 20, "reserved"],
];

/** Ranges whose addresses stand for one of IPv4, and where in them it stands: RFC 6052 and RFC 3056. */
const EMBEDDED: readonly (readonly [network: string, bits: number, group: number])[] = [
  ["64:ff9b::", 96, 6],
  ["2002::", 16, 1],
];

/** The one spelling of an address: no leading zeros, IPv6 as in RFC 5952, and IPv4 for what IPv6 only wraps. */
export function canonicalAddress(text: string): string | null {
  const bytes = bytesOfV4(text);
  if (bytes !== null) return bytes.join(".");
  const groups = groupsOfV6(text);
  if (groups === null) return null;
  return isWithin(groups, "::ffff:0:0", 96) ? v4At(groups, 6) : hostname(`[${text}]`).slice(1, -1);
}

/** Of a canonical address; null = this is none. */
export function addressKind(address: string): AddressKind | null {
  const bytes = bytesOfV4(address);
  if (bytes !== null)
    return V4.find(([network, bits]) => startsLike(bytes, bytesOfV4(network), bits, 8))?.[2] ?? "public";
  const groups = groupsOfV6(address);
  if (groups === null) return null;
  const embedded = EMBEDDED.find(([network, bits]) => isWithin(groups, network, bits));
  if (embedded !== undefined) return addressKind(v4At(groups, embedded[2]));
  const kind = V6.find(([network, bits]) => isWithin(groups, network, bits))?.[2];
  return kind ?? (isWithin(groups, "2000::", 3) ? "public" : "reserved");
}

const V4_TEXT = /^(0|[1-9]\d{0,2})\.(0|[1-9]\d{0,2})\.(0|[1-9]\d{0,2})\.(0|[1-9]\d{0,2})$/;

function bytesOfV4(text: string): readonly number[] | null {
  const bytes = V4_TEXT.exec(text)?.slice(1).map(Number);
  return bytes?.every((byte) => byte < 256) ? bytes : null;
}

/** The engine's own reader of addresses decides what is one; it knows no zone (`%eth0`), and so do we not. */
function groupsOfV6(text: string): readonly number[] | null {
  if (!/^[0-9a-f:.]{2,45}$/i.test(text) || !text.includes(":")) return null;
  const [head = "", tail] = hostname(`[${text}]`).slice(1, -1).split("::");
  if (head === "" && tail === undefined) return null;
  const groups = (part: string): number[] =>
    part === "" ? [] : part.split(":").map((group) => Number.parseInt(group, 16));
  const [first, last] = [groups(head), groups(tail ?? "")];
  return [...first, ...Array<number>(8 - first.length - last.length).fill(0), ...last];
}

const hostname = (host: string): string => (URL.canParse(`http://${host}/`) ? new URL(`http://${host}/`).hostname : "");

const isWithin = (groups: readonly number[], network: string, bits: number): boolean =>
  startsLike(groups, groupsOfV6(network), bits, 16);

const v4At = (groups: readonly number[], at: number): string =>
  groups
    .slice(at, at + 2)
    .flatMap((group) => [group >> 8, group & 255])
    .join(".");

function startsLike(parts: readonly number[], like: readonly number[] | null, bits: number, width: 8 | 16): boolean {
  return parts.every((part, i) => {
    const rest = Math.min(Math.max(bits - i * width, 0), width);
    return part >> (width - rest) === (like?.[i] ?? -1) >> (width - rest);
  });
}
