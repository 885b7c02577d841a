/** Random bodies and fields of bodies. */
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import * as fc from "fast-check";

export interface BodyChange {
  readonly bytes: string | Uint8Array;
  /** Header lines that go with it, such as a claimed encoding. */
  readonly headerLines: readonly string[];
}

const BOMB = gzipSync(Buffer.alloc(20_000_000, " "));
const ENCODINGS = ["br", "gzip", "deflate", "zstd", "gzip, br", "identity", "GZIP", "x-gzip", "constructor"];

/** Nesting that a recursive reader would not survive. */
const DEEP = [
  "[".repeat(40_000),
  `${"[".repeat(20_000)}${"]".repeat(20_000)}`,
  `${'{"a":'.repeat(9_000)}1${"}".repeat(9_000)}`,
  `{"youtubeUrl":${"[".repeat(10_000)}${"]".repeat(10_000)}}`,
];
const TEXTS = [
  "",
  "null",
  '"x"',
  "1e400",
  '{"youtubeUrl":1e400,"format":"mp3"}',
  '{"youtubeUrl":"{link}","format":"mp3","format":"exe"}',
  '{"__proto__":{"tier":"pro"},"youtubeUrl":"{link}"}',
  '{"constructor":{"prototype":{"tier":"pro"}},"youtubeUrl":"{link}"}',
  '{"urls":{"length":1e9}}',
  '{"youtubeUrl":"\\ud800\\u0000","format":"mp3"}',
  "\ufeff{}",
  "{}\u0000",
  `{"youtubeUrl":"${"x".repeat(90_000)}"}`,
  `{"urls":[${'"x",'.repeat(5_000)}"x"]}`,
  ...DEEP,
];

const plain = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...TEXTS) },
  { weight: 2, arbitrary: fc.json() },
  { weight: 1, arbitrary: fc.string({ unit: "binary", maxLength: 200 }) },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 300 }) },
);
const encoding = fc.constantFrom(...ENCODINGS).map((name) => [`Content-Encoding: ${name}`]);
const small = '{"youtubeUrl":"{link}","format":"mp3"}';

export const arbitraryBody: fc.Arbitrary<BodyChange> = fc.oneof(
  { weight: 4, arbitrary: plain.map((bytes) => ({ bytes, headerLines: [] })) },
  // The claimed encoding is mostly false.
  { weight: 2, arbitrary: fc.tuple(plain, encoding).map(([bytes, headerLines]) => ({ bytes, headerLines })) },
  {
    weight: 2,
    arbitrary: fc
      .tuple(fc.constantFrom(gzipSync(small), deflateSync(small), brotliCompressSync(small), BOMB), encoding)
      .map(([bytes, headerLines]) => ({ bytes, headerLines })),
  },
  // Cut in the middle, or with one byte changed.
  {
    weight: 1,
    arbitrary: fc.tuple(fc.nat(40), fc.boolean()).map(([at, isCut]) => {
      const bytes = gzipSync(small);
      bytes[at] = (bytes[at] ?? 0) ^ 0xff;
      return { bytes: isCut ? bytes.subarray(0, at) : bytes, headerLines: ["Content-Encoding: gzip"] };
    }),
  },
);

const LINKS = [
  "{link}",
  "{deadLink}",
  "{link}#\u0000",
  "javascript:alert(1)",
  "file:///etc/passwd",
  "http://169.254.169.254/latest/meta-data",
  "http://[::ffff:127.0.0.1]/",
  "http://user:password@localhost/",
  "https://youtube.com.evil.example/watch?v=x",
  "https://www.youtube.com/watch?v=%00",
  "//youtu.be",
  "youtu.be/\ud800",
  "http://xn--\u0130.example",
  "-o/etc/passwd {link}",
  "ytsearch:cats",
];

const oddValue: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom<unknown>(...LINKS) },
  {
    weight: 2,
    arbitrary: fc.constantFrom<unknown>(
      null,
      0,
      -1,
      1e308,
      Number.MAX_SAFE_INTEGER,
      true,
      [],
      {},
      { $gt: "" },
      { $where: "sleep(1000)" },
      "__proto__",
      "constructor",
      "toString",
      "mp3\u0000",
      "1080p",
      "320kbps",
      Array.from({ length: 1_000 }, () => "{link}"),
      Array.from({ length: 21 }, (_, n) => `{link}?n=${n}`),
    ),
  },
  { weight: 2, arbitrary: fc.string({ unit: "binary", maxLength: 40 }) },
  { weight: 1, arbitrary: fc.jsonValue({ noUnicodeString: false }) },
);

const FIELDS = ["*", "*", "*", "youtubeUrl", "urls", "format", "quality", "plan", "tier", "userId", "constructor"];

export const arbitraryField: fc.Arbitrary<{ readonly name: string; readonly value: unknown }> = fc.record({
  name: fc.constantFrom(...FIELDS),
  value: oddValue,
});
