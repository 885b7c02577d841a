import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseHostList } from "../hosts.ts";
import { findAddresses } from "./find-addresses.ts";
import { hostRule } from "./host-rule.ts";
import { legibleText } from "./legible-text.ts";
import { readLinks } from "./read-links.ts";

const accepts = hostRule(parseHostList("youtube.com,youtu.be,video.example,localhost:8090,[::1]:9002"));
const ACCEPTED_HOST = /^(?:(?:.+\.)?(?:youtube\.com|youtu\.be|video\.example|localhost:8090)|\[::1\]:9002)$/;
const ID_CHARACTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-";

/** Not two ids that are names of pages, and none that begins like an escaped `=`. */
const videoId = fc
  .string({ unit: fc.constantFrom(...ID_CHARACTERS.split("")), minLength: 11, maxLength: 11 })
  .filter((id) => id !== "live_stream" && id !== "videoseries" && !id.startsWith("3D"));

type Change = (text: string) => string;
const nothing: Change = (text) => text;
const one = (...changes: Change[]) => fc.constantFrom(nothing, ...changes);

const form = fc.constantFrom<Change>(
  (id) => `https://www.youtube.com/watch?v=${id}`,
  (id) => `http://m.youtube.com/watch?app=desktop&v=${id}&pp=x`,
  (id) => `https://music.youtube.com/watch?v=${id}&list=RD${id}`,
  (id) => `https://youtu.be/${id}`,
  (id) => `https://youtu.be/${id}?si=AbC_d-1`,
  (id) => `https://www.youtube.com/shorts/${id}`,
  (id) => `https://www.youtube.com/live/${id}?feature=share`,
  (id) => `https://www.youtube-nocookie.com/embed/${id}?rel=0`,
  (id) => `https://www.youtubekids.com/watch?v=${id}`,
  (id) => `https://i.ytimg.com/vi/${id}/hqdefault.jpg`,
  (id) => `HTTPS://WWW.YouTube.COM/v/${id}`,
);
const redirector = one(
  (link) => `https://www.youtube.com/redirect?event=x&q=${encodeURIComponent(link)}`,
  (link) => `https://www.google.com/url?sa=t&url=${encodeURIComponent(link)}&usg=x`,
  (link) => `https://l.facebook.com/l.php?u=${encodeURIComponent(link)}&h=x`,
  (link) => `https://consent.youtube.com/m?continue=${encodeURIComponent(link)}&gl=DE`,
  (link) => `https://www.bing.com/ck/a?!&&p=x&u=a1${btoa(link).replaceAll("+", "-").replaceAll("/", "_")}&ntb=1`,
);
const stuck = one(
  ...[")", "]", "*", "…", "。よい", "，", "।", "\\n", "#x", "&si=x", "&amp;t=30", ").", "\u200b", "%E2%80%8B"].map(
    (end): Change =>
      (link) =>
        link + end,
  ),
);
const damage = one(
  (link) => link.replace("://", "//"),
  (link) => link.replace("https://", "ttps://"),
  (link) => link.replace("://", ":/"),
  (link) => link.replace("https://", "https://https://"),
  (link) => link.replace("://", "：／／"),
  (link) => link.replaceAll("&", "&amp;"),
  (link) => link.replaceAll("&", "&amp;amp;"),
  (link) => link.replaceAll(/[?=&]/g, "\\$&"),
  (link) => link.replaceAll("/", "\\/"),
  (link) => link.replace("://", ":// "),
  (link) => link.replace("://", "[:]//").replace(".be/", "[.]be/"),
  (link) => link.replace("youtu.be/", "youtu , be/"),
  (link) => link.replace("youtube.com/watch", "youtube.comwatch"),
  (link) => link.replace("www.youtube.com/watch", "www.youtube.\ncom/watch"),
  (link) => link.replace("youtube.com/watch?", "youtube.com/wa\r\n> tch?"),
  (link) => link.replace("youtu.be/", "youtu\\.be/"),
  (link) => link.replace("youtu", "\u001b[01;31m\u001b[Kyoutu\u001b[m\u001b[K"),
);
const wrapping = one(
  ...[
    ["(", ")"],
    ["<", ">"],
    ["«", "»"],
    ["「", "」"],
    ["*", "*"],
    ["[Song](", ")"],
    ["[url=", "]Song[/url]"],
    ['<iframe width="1" src="', '" title="x"></iframe>'],
    ["\u2068", "\u2069"],
    ["\u001b]8;;", "\u001b\\Song\u001b]8;;\u001b\\"],
    ["\u200e", "\u200f"],
  ].map(
    ([before = "", after = ""]): Change =>
      (link) =>
        before + link + after,
  ),
);
const words = fc.constantFrom("", "Found on YouTube.com: ", "youtube.com/@me x ", "見て ", "and/or 1/2 ", "Title\r\n");
const ending = fc.constantFrom("", " via @app", "\nhttps://example.com/app", " !", "\u3000おわり");

describe("readLinks", () => {
  it("finds the id in every form, wrapping, decoration and damage", () => {
    fc.assert(
      fc.property(videoId, form, redirector, stuck, damage, wrapping, words, ending, (id, ...changes) => {
        const [asLink, redirect, stick, break_, wrap, before, after] = changes;
        const text = before + wrap(break_(stick(redirect(asLink(id))))) + after;
        expect(readLinks(text, accepts).links.map(({ url }) => url)).toEqual([`https://www.youtube.com/watch?v=${id}`]);
      }),
      { numRuns: 600 },
    );
  });

  it("finds each video of a list that exists in the address only, in its order", () => {
    const listed = fc.uniqueArray(videoId, { minLength: 1, maxLength: 20 });
    fc.assert(
      fc.property(
        listed,
        fc.constantFrom(",", "%2C"),
        redirector,
        stuck,
        damage,
        wrapping,
        words,
        ending,
        (ids, comma, ...changes) => {
          const [redirect, stick, break_, wrap, before, after] = changes;
          const link = `https://www.youtube.com/watch_videos?title=x&video_ids=${ids.join(comma)}`;
          const text = before + wrap(break_(stick(redirect(link)))) + after;
          const expected = ids.map((id) => `https://www.youtube.com/watch?v=${id}`);
          expect(readLinks(text, accepts).links.map(({ url }) => url)).toEqual(expected);
        },
      ),
    );
  });

  const piece = fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom(..."/\\@:.?#&=%,;|()[]<> \n".split("")) },
    fc.constantFrom(
      "https://",
      "http://",
      "//",
      "youtube.com",
      "youtu.be/",
      "evil.example",
      "video.example",
      "google.com",
    ),
    fc.constantFrom("localhost:8090/", "[::1]:9002/", "url?q=", "redirect?q=", "watch?v=", "%2F%2F", "%3A", "&amp;"),
    fc.constantFrom(
      "intent://",
      "vnd.youtube:",
      "dQw4w9WgXcQ",
      "v=dQw4w9WgXcQ",
      "youtu.be",
      "youtu , be",
      "user:pw@",
      "\u200b",
      "。",
      "／",
      "%00",
      "list=RD",
      "\ud800",
    ),
    fc.string({ unit: "binary", maxLength: 4 }),
  );
  const anyText = fc.oneof(
    fc.array(piece, { maxLength: 14 }).map((pieces) => pieces.join("")),
    fc.webUrl({ withFragments: true, withQueryParameters: true }),
    fc.string({ unit: "binary" }),
  );

  it("gives links to accepted hosts only, in a form that is read the same again", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        for (const { url, kind, list } of readLinks(text, accepts).links) {
          const { host, protocol, username, password, hash } = new URL(url);
          expect([host, protocol]).toEqual([expect.stringMatching(ACCEPTED_HOST), expect.stringMatching(/^https?:$/)]);
          expect(username + password + hash).toBe("");
          expect(new URL(typeof list === "string" ? list : url).host).toMatch(ACCEPTED_HOST);
          expect(readLinks(url, accepts).links).toMatchObject([{ url, kind }]);
        }
      }),
      { numRuns: 1_000 },
    );
  });

  it("reads what it shows as the same link", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        for (const { url, text: shown } of readLinks(text, accepts).links)
          expect(readLinks(shown, accepts).links.map((link) => link.url)).toEqual([url]);
      }),
      { numRuns: 600 },
    );
  });
});

describe("the work of readLinks", () => {
  const units = [
    "https://youtu.be/dQw4w9WgXcQ ",
    "https://youtu.be/dQw4w9WgXcQ",
    "https://evil.example/",
    "a.bc/,",
    ",youtu.be/",
    "hh:",
    "http:",
    "://",
    "%E2%80%8B",
    "%25",
    "....",
    "((((",
    "&amp;",
    "\u200b",
    "aaaa.",
    "\\/",
    "youtube:",
    "watch?v=",
    "=\n",
    "https://youtu=\n",
    "list=PLaaaa\n",
    "v= ",
    "&v=a\n",
    "youtu[.]be",
    "a-(dot)",
    "{{youtube|",
    "&sol;",
    "dQw4w9WgXcQ ",
    "v=dQw4w9WgXcQ\n",
    "youtu . be ",
    "youtube.comwatch?",
    "youtu.bedQw4w9WgXcQ",
    "watch ? v = ",
    "https://youtu\n",
    "https://a/",
    "\u001b[1",
    "\u001b]8;a",
    "videoid:",
    "dQw4w9WgXcQ,\n",
  ];

  it.each(units)("grows with the text and not faster: many %j", (unit) => {
    const lengthOf = (times: number): number => {
      const text = `https://www.youtube.com/watch?v=${unit.repeat(times)}`;
      let asked = 0;
      const addresses = findAddresses(legibleText(text), (url) => {
        asked += url.href.length;
        return accepts(url);
      });
      return asked + addresses.join("").length;
    };
    const once = lengthOf(100);
    expect(lengthOf(400)).toBeLessThanOrEqual(4 * once + 2_000);
    // Where the work grows with the square of the text, this takes minutes.
    readLinks(unit.repeat(Math.ceil(40_000 / unit.length)), accepts);
  });
});
