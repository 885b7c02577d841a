import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { MAX_LINK_LENGTH } from "../../../common/api.ts";
import { ConversionError, type ConversionErrorCode } from "../../../common/errors.ts";
import { parseHostList } from "../../../common/hosts.ts";
import { HOSTILE_LINKS, HOSTILE_WITH_ANY } from "../../dev/testing/hostile-links.ts";
import { canonicalEntry, canonicalLink, canonicalLinks, canonicalList } from "./link-policy.ts";

const HOSTS = parseHostList(
  "youtube.com,youtu.be,video.example,localhost:8090,127.0.0.1:9001,[::1]:9002,secure.example:443",
);
/** The hosts of the list; those with a name also with subdomains. */
const LISTED_HOST = new RegExp(
  [
    String.raw`^(?:.*\.)?(?:youtube\.com|youtu\.be|localhost:8090|video\.example)$`,
    String.raw`^127\.0\.0\.1:9001$|^\[::1\]:9002$|^secure\.example$`,
  ].join("|"),
);
const ID = "dQw4w9WgXcQ";
const WATCH = `https://www.youtube.com/watch?v=${ID}`;
const LIST = "PLrAXtmErZgOeiKm4sgNOknGvNjby9efdf";

describe("canonicalLink", () => {
  it.each([
    // Every form in which YouTube gives out the address of a video.
    `https://www.youtube.com/watch?v=${ID}`,
    `http://www.youtube.com/watch?v=${ID}`,
    `https://youtube.com/watch?v=${ID}`,
    `https://m.youtube.com/watch?v=${ID}`,
    `https://music.youtube.com/watch?v=${ID}&si=abcdef`,
    `https://gaming.youtube.com/watch?v=${ID}`,
    `https://www.youtube.com/watch?app=desktop&v=${ID}`,
    `https://www.youtube.com/watch?v=${ID}&t=42s`,
    `https://www.youtube.com/watch?v=${ID}#t=42`,
    `https://www.youtube.com/watch?v=${ID}&list=${LIST}&index=3`,
    `https://www.youtube.com/watch?list=${LIST}&v=${ID}`,
    `https://www.youtube.com/watch?v=${ID}&utm_source=newsletter&utm_medium=mail&fbclid=x&gclid=y`,
    `https://www.youtube.com/watch?feature=share&pp=ygUE&v=${ID}`,
    `https://www.youtube.com/watch/${ID}`,
    // With the end of a line that a copied text had.
    `https://www.youtube.com/watch?v=${ID}&feature=share%0A`,
    `https://www.youtube.com//watch?v=${ID}`,
    `https://youtu.be/${ID}`,
    `https://youtu.be/${ID}?si=AbCdEfGhIjKlMnOp`,
    `https://youtu.be/${ID}?t=10&feature=shared`,
    `https://youtu.be/${ID}?list=${LIST}`,
    `https://www.youtu.be/${ID}/`,
    `http://youtu.be/${ID}`,
    `https://www.youtube.com/shorts/${ID}`,
    `https://www.youtube-nocookie.com/embed/${ID}`,
    `https://youtube-nocookie.com/embed/${ID}?autoplay=1`,
    `https://youtube.com/shorts/${ID}?feature=share`,
    `https://m.youtube.com/shorts/${ID}/`,
    `https://www.youtube.com/live/${ID}?si=x`,
    `https://www.youtube.com/embed/${ID}?autoplay=1`,
    `https://www.youtube.com/v/${ID}`,
    `https://www.youtube.com/e/${ID}`,
    // As people type and copy them.
    `youtube.com/watch?v=${ID}`,
    `www.youtube.com/watch?v=${ID}`,
    `youtu.be/${ID}`,
    `  https://youtu.be/${ID}\n`,
    `\u00a0https://youtu.be/${ID}\u00a0`,
    `HTTPS://WWW.YOUTUBE.COM/watch?v=${ID}`,
    `https://YouTu.Be/${ID}`,
    `https://www.youtube.com./watch?v=${ID}`,
    `https://www.youtube.com:443/watch?v=${ID}`,
    `http://www.youtube.com:80/watch?v=${ID}`,
    `https://consent.youtube.com/m?continue=${encodeURIComponent(`${WATCH}&t=42s`)}&gl=DE&hl=de`,
    `https://@www.youtube.com/watch?v=${ID}`,
    `https:/www.youtube.com/watch?v=${ID}`,
    // Browsers take these for the same host.
    `https://www.youtube。com/watch?v=${ID}`,
    `https://ｙｏｕｔｕｂｅ.com/watch?v=${ID}`,
    `https://www.youtube%2Ecom/watch?v=${ID}`,
    // In a text. common/links has the tests of what is read out of texts.
    `-o/etc/passwd https://youtu.be/${ID}`,
    `https://youtube.com/watch?v=${ID}\r\nHost: evil.example`,
    `https://youtube.com/watch?v=${ID} https://evil.example/`,
    `https://www.youtube.com/watch?v=${ID}toolong`,
  ])("brings %j to the one address of its video", (link) => {
    expect(canonicalLink(link, HOSTS)).toBe(WATCH);
  });

  it.each([
    ["https://video.example/a/b", "https://video.example/a/b"],
    ["https://cdn.video.example/a", "https://cdn.video.example/a"],
    ["http://video.example/a", "http://video.example/a"],
    ["https://Video.Example./a", "https://video.example/a"],
    ["https://video.example/a?utm_source=x&keep=1&IGSHID=y#part", "https://video.example/a?keep=1"],
    ["https://video.example/a?utm_source=x", "https://video.example/a"],
    ["https://video.example/a?", "https://video.example/a"],
    ["https://video.example/a/../b", "https://video.example/b"],
    ["http://localhost:8090/watch/rain", "http://localhost:8090/watch/rain"],
    ["http://LOCALHOST:8090/watch/rain#x", "http://localhost:8090/watch/rain"],
    ["http://a.localhost:8090/", "http://a.localhost:8090/"],
    ["http://127.0.0.1:9001/x", "http://127.0.0.1:9001/x"],
    ["http://0x7f.1:9001/x", "http://127.0.0.1:9001/x"],
    ["http://[::1]:9002/x", "http://[::1]:9002/x"],
    ["http://[0:0:0:0:0:0:0:1]:9002/x", "http://[::1]:9002/x"],
    ["https://secure.example/x", "https://secure.example/x"],
    ["https://www.youtube.com/@somebody", "https://www.youtube.com/@somebody"],
    ["https://www.youtube.com/clip/Ugkx123?si=y", "https://www.youtube.com/clip/Ugkx123"],
    ["https://m.youtube.com/clip/UgkxAbCdEf", "https://www.youtube.com/clip/UgkxAbCdEf"],
    ["youtube.com/clip/UgkxAbCdEf&t=3", "https://www.youtube.com/clip/UgkxAbCdEf"],
  ])("brings %j to %j", (link, canonical) => {
    expect(canonicalLink(link, HOSTS)).toBe(canonical);
  });

  // The extension sends the address of the page as the browser shows it.
  it.each([
    `https://m.youtube.com/watch?v=${ID}&pp=0gcJCR&persist_app=1&app=desktop`,
    `https://music.youtube.com/watch?v=${ID}&list=RDAMVM${ID}`,
    `https://www.youtube.com/shorts/${ID}`,
    `https://www.youtube.com/watch?v=${ID}&list=RD${ID}&start_radio=1&index=2`,
    `https://www.youtube.com/watch?v=${ID}&list=RDMM&index=7#comments`,
  ])("takes the video alone of the open page %j", (page) => expect(canonicalLink(page, HOSTS)).toBe(WATCH));

  it("accepts a link of the maximum length and refuses a longer one", () => {
    const atLimit = "https://video.example/".padEnd(MAX_LINK_LENGTH, "a");
    expect(canonicalLink(atLimit, HOSTS)).toBe(atLimit);
    expect(() => canonicalLink(`${atLimit}a`, HOSTS)).toThrow(expect.objectContaining({ code: "invalid_link" }));
  });
});

describe("canonicalLink refuses", () => {
  it.each(HOSTILE_LINKS)("%j with %s", (link, code) => {
    expect(() => canonicalLink(link, HOSTS)).toThrow(expect.objectContaining({ name: ConversionError.name, code }));
  });

  it.each([
    ["https://www.youtube.com/watch?v=dQw4w9W", "link_cut_off"],
    ["https://www.youtube.com/playlist?list=RDdQw4w9WgXcQ", "mix"],
    ["https://www.youtube.com/playlist?list=RDMM", "mix"],
    ["https://www.youtube.com/watch?list=RDEMb7sRGyMzSnTkvBTfOsUBkg", "mix"],
    ["https://music.youtube.com/playlist?list=RDAMVMdQw4w9WgXcQ", "mix"],
    ["https://www.youtube.com/results?search_query=cats", "search_page"],
  ])("%j with a reason that pages word", (link, name) => {
    expect(() => canonicalLink(link, HOSTS)).toThrow(expect.objectContaining({ reason: { name } }));
  });

  it.each([
    ["https://www.youtube.com/watch?v=dQw4w9WgXcQ&list=RDdQw4w9WgXcQ&start_radio=1"],
    ["https://youtu.be/dQw4w9WgXcQ?list=RDMM"],
    ["https://music.youtube.com/watch?v=dQw4w9WgXcQ&list=RDAMVMdQw4w9WgXcQ"],
  ])("%j as a list, because that is a mix, and takes its video", (link) => {
    expect(() => canonicalList(link, HOSTS)).toThrow(expect.objectContaining({ reason: { name: "mix" } }));
    expect(canonicalLink(link, HOSTS)).toBe("https://www.youtube.com/watch?v=dQw4w9WgXcQ");
  });

  it("an empty text with a message that asks for a link", () => {
    expect(() => canonicalLink("  ", HOSTS)).toThrow("Please enter a YouTube URL");
    expect(() => canonicalLink("cats", HOSTS)).toThrow("Please enter a valid YouTube URL");
  });
});

describe("canonicalLink where any host is accepted", () => {
  const ANY = parseHostList("any,localhost:8090");
  /** Nothing that names a machine of the operator's network, another port, or a user. */
  const PUBLIC_NAME = /^https?:\/\/(?:[a-z0-9-]+\.)+[a-z][a-z0-9-]*\//;

  const outcomeOf = (link: string): string => {
    try {
      return canonicalLink(link, ANY);
    } catch (error) {
      return error instanceof ConversionError ? "refused" : String(error);
    }
  };

  it.each([
    ["https://vimeo.com/76979871?utm_source=a#t=3", "https://vimeo.com/76979871"],
    ["see vimeo.com/76979871, it is good", "https://vimeo.com/76979871"],
    ["http://video.example/a", "http://video.example/a"],
    ["http://localhost:8090/watch/rain", "http://localhost:8090/watch/rain"],
    [`https://www.youtube-nocookie.com/embed/${ID}`, WATCH],
    [`https://yewtu.be/watch?v=${ID}`, WATCH],
  ])("takes %j", (link, canonical) => expect(canonicalLink(link, ANY)).toBe(canonical));

  it.each(HOSTILE_WITH_ANY)("refuses %j as it does where hosts are listed", (link) => {
    expect(() => canonicalLink(link, ANY)).toThrow(expect.objectContaining({ code: "unsupported_host" }));
  });

  it.each(HOSTILE_LINKS)("refuses %j, or takes it to a public name", (link) => {
    expect(outcomeOf(link)).toMatch(new RegExp(String.raw`^refused$|${PUBLIC_NAME.source}`));
  });

  it("asks for the link of a video, not for one of YouTube", () => {
    for (const text of ["", "cats"])
      expect(() => canonicalLink(text, ANY)).toThrow(expect.objectContaining({ reason: { name: "no_video_link" } }));
    expect(() => canonicalList("cats", ANY)).toThrow("Please enter a valid link to a video");
  });
});

describe("canonicalLink with random text", () => {
  const piece = fc.constantFrom(
    "https://",
    "http://",
    "//",
    "/",
    "\\",
    "@",
    ":",
    ".",
    "?",
    "#",
    "youtube.com",
    "youtu.be",
    "localhost",
    ":8090",
    "evil.example",
    "watch?v=",
    ID,
    "%2e",
    "%00",
    "\n",
    " ",
    "。",
    "[::1]",
    "user:pw",
    "list=",
    "&",
  );
  const link = fc.oneof(
    fc.array(piece, { maxLength: 10 }).map((pieces) => pieces.join("")),
    fc.webUrl(),
    fc.string(),
  );

  it("refuses it with an error code, or returns a canonical link at a listed host without credentials", () => {
    fc.assert(
      fc.property(link, (text) => {
        const canonical = check(text);
        const url = typeof canonical === "string" ? new URL(canonical) : new URL(WATCH);
        expect(canonical).toSatisfy((value: unknown) => typeof value === "string" || value instanceof ConversionError);
        expect(url.host).toMatch(LISTED_HOST);
        expect(url.username + url.password + url.hash).toBe("");
        expect(canonicalLink(url.href, HOSTS)).toBe(url.href);
      }),
      { numRuns: 2_000 },
    );
  });

  it("returns a link that stays the same when it is checked again, even after a query of question marks", () => {
    const canonical = canonicalLink("https://youtube.com/@somebody/x??", HOSTS);
    expect(canonical).not.toMatch(/\?$/);
    expect(canonicalLink(canonical, HOSTS)).toBe(canonical);
  });

  it("refuses the start page, also behind a backslash and an escaped dot", () => {
    const refused = check(String.raw`youtube.com/\.%2e`);
    expect(refused).toMatchObject({ code: "invalid_link", reason: { name: "no_video_page" } });
  });

  function check(text: string): string | ConversionError {
    try {
      return canonicalLink(text, HOSTS);
    } catch (error) {
      if (error instanceof ConversionError) return error;
      throw error;
    }
  }
});

describe("canonicalList", () => {
  const PLAYLIST = `https://www.youtube.com/playlist?list=${LIST}`;

  it.each([
    `https://www.youtube.com/playlist?list=${LIST}`,
    `https://www.youtube.com/playlist?list=${LIST}&si=x`,
    `https://music.youtube.com/playlist?list=${LIST}`,
    `https://m.youtube.com/watch?v=${ID}&list=${LIST}&index=3`,
    `https://youtu.be/${ID}?list=${LIST}`,
    `https://www.youtube.com/embed/videoseries?list=${LIST}`,
    `https://consent.youtube.com/m?continue=${encodeURIComponent(`https://www.youtube.com/playlist?list=${LIST}`)}`,
    `youtube.com/playlist?list=${LIST}`,
  ])("brings %j to the one address of its list", (link) => {
    expect(canonicalList(link, HOSTS)).toBe(PLAYLIST);
  });

  it.each([
    ["https://www.youtube.com/@somebody?si=x", "https://www.youtube.com/@somebody"],
    ["https://www.youtube.com/@somebody/streams", "https://www.youtube.com/@somebody/streams"],
    [
      "https://music.youtube.com/browse/MPREb_4pL8gzRtw1v?feature=share",
      "https://music.youtube.com/browse/MPREb_4pL8gzRtw1v",
    ],
    ["https://video.example/album/1?utm_source=x&list=2#t", "https://video.example/album/1?list=2"],
  ])("brings %j to %j", (link, canonical) => {
    expect(canonicalList(link, HOSTS)).toBe(canonical);
  });

  it.each<[string, ConversionErrorCode]>([
    ["", "invalid_link"],
    ["cats", "invalid_link"],
    ["https://evil.example/?list=PL1", "unsupported_host"],
    ["https://www.youtube.com/playlist?list=", "invalid_link"],
    ["https://www.youtube.com/playlist?list=a%20--exec", "invalid_link"],
    [`https://www.youtube.com/playlist?list=${"a".repeat(101)}`, "invalid_link"],
    // Those of whoever is signed in.
    ["https://www.youtube.com/playlist?list=WL", "private"],
    [`https://www.youtube.com/watch?v=${ID}&list=LL`, "private"],
    // Made up for each visitor.
    [`https://www.youtube.com/watch?v=${ID}&list=RD${ID}`, "invalid_link"],
    ["https://music.youtube.com/playlist?list=RDAMVMdQw4w9WgXcQ", "invalid_link"],
  ])("refuses %j as %s", (link, code) => {
    expect(() => canonicalList(link, HOSTS)).toThrow(expect.objectContaining({ code }));
  });
});

describe("canonicalLinks", () => {
  it("gives all that can be converted, each once", () => {
    const text = `https://youtu.be/${ID}?t=5, https://www.youtube.com/playlist?list=${LIST} and https://video.example/a.mp4 (${WATCH})`;
    expect(canonicalLinks(text, HOSTS)).toEqual([WATCH, "https://video.example/a.mp4"]);
  });
});

describe("canonicalEntry", () => {
  it("keeps punctuation at the end, so that the entry is the same when its link is sent back", () => {
    const entry = canonicalEntry("https://video.example/watch/Hello!", HOSTS);
    expect(entry).toBe("https://video.example/watch/Hello%21");
    expect(canonicalLink(entry, HOSTS)).toBe(entry);
  });

  it("refuses a list in a list", () => {
    const link = `https://www.youtube.com/playlist?list=${LIST}`;
    expect(() => canonicalEntry(link, HOSTS)).toThrow(expect.objectContaining({ code: "playlist" }));
  });
});
