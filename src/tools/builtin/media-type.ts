/** What a file's first bytes tell. `..` is any byte. */
const SIGNATURES: readonly (readonly [string, string])[] = [
  ["89 50 4e 47 0d 0a 1a 0a", "image/png"],
  ["ff d8 ff", "image/jpeg"],
  ["47 49 46 38 37 61", "image/gif"],
  ["47 49 46 38 39 61", "image/gif"],
  ["52 49 46 46 .. .. .. .. 57 45 42 50", "image/webp"],
  ["52 49 46 46 .. .. .. .. 57 41 56 45", "audio/wav"],
  ["25 50 44 46 2d", "application/pdf"],
  ["50 4b 03 04", "application/zip"],
  ["50 4b 05 06", "application/zip"],
  ["1f 8b", "application/gzip"],
  ["28 b5 2f fd", "application/zstd"],
  ["fd 37 7a 58 5a 00", "application/x-xz"],
  ["42 5a 68", "application/x-bzip2"],
  ["37 7a bc af 27 1c", "application/x-7z-compressed"],
  ["00 61 73 6d", "application/wasm"],
  ["7f 45 4c 46", "application/x-elf"],
  ["4d 5a", "application/vnd.microsoft.portable-executable"],
  ["53 51 4c 69 74 65 20 66 6f 72 6d 61 74 20 33 00", "application/vnd.sqlite3"],
  ["4f 67 67 53", "audio/ogg"],
  ["49 44 33", "audio/mpeg"],
  [".. .. .. .. 66 74 79 70", "video/mp4"],
  ["1a 45 df a3", "video/webm"],
  ["77 4f 46 32", "font/woff2"],
];

const COMPILED = SIGNATURES.map(([pattern, mediaType]) => ({
  bytes: pattern.split(" ").map((byte) => (byte === ".." ? null : Number.parseInt(byte, 16))),
  mediaType,
}));

/** Of a file that is no text. */
export const mediaTypeOf = (content: Uint8Array): string =>
  COMPILED.find(({ bytes }) => bytes.every((byte, i) => (byte === null ? i < content.length : content[i] === byte)))
    ?.mediaType ?? "application/octet-stream";
