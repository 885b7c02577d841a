import { describe, expect, it } from "vitest";
import { tagsOf, withChosenTags, type SiteMetadata } from "./tags.ts";

const songIn = (title: string, metadata: SiteMetadata = {}) => {
  const tags = tagsOf(metadata, title);
  return [tags.artist, tags.title];
};
const MUSIC = { channel: "Some label", categories: ["Music"] };
const ANY = { channel: "Kitchen stories" };

describe("artist and title", () => {
  it.each<[string, SiteMetadata, string | undefined, string]>([
    // The site knows both.
    ["Artist - Song (Official Video)", { track: "Song", artist: "Artist, Guest" }, "Artist, Guest", "Song"],
    ["Song", { channel: "Artist - Topic" }, "Artist", "Song"],
    ["Artist - Song", { artist: "Artist", channel: "Label" }, "Artist", "Song"],
    ["Artist - Song (Lyrics)", { artist: "Other", channel: "Label" }, "Other", "Artist - Song"],
    // A remark says that it is a song.
    ["Artist - Song (Official Video)", ANY, "Artist", "Song"],
    ["Artist – Song [Official Music Video]", ANY, "Artist", "Song"],
    ["Artist — Song (Official Video) [4K]", ANY, "Artist", "Song"],
    ["Artist - Song | Official Audio", ANY, "Artist", "Song"],
    ["Artist - Song - Official Video", ANY, "Artist", "Song"],
    ["Artist - Song (Official M/V)", ANY, "Artist", "Song"],
    ["Artist - Song (Videoclip oficial)", ANY, "Artist", "Song"],
    ["Artist - Song (Offizielles Musikvideo)", ANY, "Artist", "Song"],
    ["アーティスト「うた」【Official Video】", ANY, "アーティスト", "うた"],
    ['Artist "Song" (Official Video)', ANY, "Artist", "Song"],
    // What tells two versions of a song apart stays.
    ["Artist - Song (Live at the Hall) (Official Video)", ANY, "Artist", "Song (Live at the Hall)"],
    ["Artist - Song (Acoustic)", MUSIC, "Artist", "Song (Acoustic)"],
    ["Artist - Song (feat. Guest) [Official Audio]", ANY, "Artist", "Song (feat. Guest)"],
    ["Artist - Song - Remastered 2011", MUSIC, "Artist", "Song - Remastered 2011"],
    // The channel is the artist's.
    ["Artist - Song", { channel: "ArtistVEVO" }, "Artist", "Song"],
    ["Artist - Song", { channel: "Artist Official" }, "Artist Official", "Song"],
    ["Song - Artist", { channel: "Artist" }, "Artist", "Song"],
    ["The Ártist - Song", { channel: "THE ARTIST" }, "THE ARTIST", "Song"],
    // The site calls it music.
    ["Artist - Song", MUSIC, "Artist", "Song"],
    ["Song", MUSIC, "Some label", "Song"],
    // Nothing says that it is a song.
    ["How to cook rice - in five minutes", ANY, "Kitchen stories", "How to cook rice - in five minutes"],
    ["Rain on a tin roof", ANY, "Kitchen stories", "Rain on a tin roof"],
    ["Part 1 - Part 2", {}, undefined, "Part 1 - Part 2"],
    // Nothing but a remark, and words that are a title when they stand alone.
    ["Official Video", MUSIC, "Some label", "Official Video"],
    ["(Official Video)", MUSIC, "Some label", "(Official Video)"],
    ["Artist - Video", MUSIC, "Artist", "Video"],
    ["Artist - Song (The Music)", MUSIC, "Artist", "Song (The Music)"],
    ["Artist -", MUSIC, "Some label", "Artist -"],
    ["Well-known - Semi-detached", MUSIC, "Well-known", "Semi-detached"],
  ])("of %j with %j are %j and %j", (title, metadata, artist, song) =>
    expect(songIn(title, metadata)).toEqual([artist, song]),
  );

  it("takes the uploader where the site has no channels", () =>
    expect(songIn("Rain", { uploader: "Somebody" })).toEqual(["Somebody", "Rain"]));

  it("ends soon for a title made of brackets and dashes", () => {
    const title = "( - [ - 「".repeat(30);
    expect(songIn(title, MUSIC)[1]).not.toBe("");
  });
});

describe("other tags", () => {
  it.each<[SiteMetadata, string | undefined]>([
    [{ release_date: "20240517", upload_date: "20250101" }, "2024-05-17"],
    [{ release_year: 1999, upload_date: "20250101" }, "1999"],
    [{ upload_date: "20250101" }, "2025-01-01"],
    [{ upload_date: "yesterday" }, undefined],
    [{ release_year: 20_240 }, undefined],
    [{}, undefined],
  ])("the date of %j is %j", (metadata, date) => expect(tagsOf(metadata, "A").date).toBe(date));

  it("takes the first three lines of the description, without unprintable characters", () => {
    const description = "One\u202e\n\n  Two\tthree \r\nFour\nFive";
    expect(tagsOf({ description }, "A").description).toBe("One\nTwo three\nFour");
  });

  it("takes at most 500 characters of the description, and no half of one", () => {
    const tags = tagsOf({ description: `${"a".repeat(499)}\u{1f600} and more` }, "A");
    expect(tags.description?.length).toBeLessThanOrEqual(500);
    expect(tags.description?.isWellFormed()).toBe(true);
  });

  it("takes the album", () => expect(tagsOf({ album: " An\nalbum " }, "A").album).toBe("An album"));
});

describe("tags that the visitor has changed", () => {
  const found = { title: "Rain", artist: "Somebody", album: "Weather", date: "1999", description: "Wet" };

  it("replace those of the site; the others stay", () => {
    expect(withChosenTags(found, { title: "Snow", album: "Winter" })).toEqual({
      ...found,
      title: "Snow",
      album: "Winter",
    });
    expect(withChosenTags(found)).toEqual(found);
  });

  it("have all lines of a description, each without unprintable characters", () => {
    const description = "One\u202e\n\nTwo\n Three\nFour";
    expect(withChosenTags(found, { date: "2024-05-17", description })).toEqual({
      ...found,
      date: "2024-05-17",
      description: "One\nTwo\nThree\nFour",
    });
  });

  it("are left out where they are empty", () => {
    expect(withChosenTags(found, { artist: "", album: "" })).toEqual({ ...found, artist: undefined, album: undefined });
    expect(withChosenTags(found, { date: "", description: "" })).toEqual({
      ...found,
      date: undefined,
      description: undefined,
    });
  });

  it("are one line without unprintable characters, and never an empty title", () => {
    expect(withChosenTags(found, { title: "\u202eSn\now", artist: "\u0007" })).toMatchObject({
      title: "Sn ow",
      artist: undefined,
    });
    expect(withChosenTags(found, { title: "\u202e" }).title).toBe("Rain");
  });
});
