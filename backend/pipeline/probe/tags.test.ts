import { describe, expect, it } from "vitest";
import { squareCoverOf, type SiteMetadata } from "./song.ts";
import { tagsOf, withAlbum, withChosenTags } from "./tags.ts";

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
    // What stands before the dash is an occasion or a number.
    ["Live - Paris 2019", { ...MUSIC, channel: "Daft Punk" }, "Daft Punk", "Live - Paris 2019"],
    ["LIVE at Wembley - 1986", { ...MUSIC, channel: "Queen" }, "Queen", "LIVE at Wembley - 1986"],
    ["Full Concert – Olympia", { ...MUSIC, channel: "Band" }, "Band", "Full Concert – Olympia"],
    ["Live in Tokyo, 2001 - Song (Official Video)", MUSIC, "Some label", "Live in Tokyo, 2001 - Song"],
    ["Live - Paris 2019 (Official Video)", { channel: "Daft Punk" }, "Daft Punk", "Live - Paris 2019"],
    ["Live - Lightning (Official Video)", MUSIC, "Live", "Lightning"],
    ["Livewire - Song", MUSIC, "Livewire", "Song"],
    ["Session Victim - Song", MUSIC, "Session Victim", "Song"],
    ["03 - Song", MUSIC, "Some label", "03 - Song"],
    ["2019 - Tour", MUSIC, "Some label", "2019 - Tour"],
    ["Part 2 - Overture", MUSIC, "Some label", "Part 2 - Overture"],
    ["311 - Song", MUSIC, "311", "Song"],
    ["Live - Paris 2019", { categories: ["Music"] }, "Live", "Paris 2019"],
    // Several artists.
    ["Song", { creators: ["A", "B"], channel: "A" }, "A, B", "Song"],
    ["A - Song", { creators: ["A", "B"], channel: "A" }, "A, B", "Song"],
    ["A & B - Song", { creators: ["A", "B", "A", " "], channel: "A" }, "A, B", "Song"],
    ["Song - B feat. A", { creators: ["A", "B"], channel: "A" }, "A, B", "Song"],
    ["Song", { creators: ["A"], channel: "Channel of A" }, "Channel of A", "Song"],
    ["Song", { creators: ["A"] }, "A", "Song"],
    ["Song", { artists: ["A", "B"], creators: ["C", "D"], track: "Track" }, "A, B", "Track"],
    ["Song", { artist: "Tom &amp; Jerry", track: "Rock &amp;#39;n&amp;#39; Roll" }, "Tom & Jerry", "Rock 'n' Roll"],
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

  it.each<[SiteMetadata, string | undefined]>([
    [{ album: "Album", album_artist: "A" }, "A"],
    [{ album: "Album", album_artists: ["A", "B"], channel: "C - Topic" }, "A, B"],
    [{ album: "Album", artist: "A, Guest", channel: "A - Topic" }, "A"],
    [{ album: "Album", artist: "A", channel: "A label" }, undefined],
    [{ artist: "A", channel: "A - Topic" }, undefined],
  ])("the artist of the album of %j is %j", (metadata, albumArtist) =>
    expect(tagsOf(metadata, "Song").albumArtist).toBe(albumArtist),
  );

  it("takes the number of a song in its album, and of nothing else", () => {
    expect(tagsOf({ album: "Album", track_number: 3 }, "Song").track).toBe("3");
    expect(tagsOf({ track_number: 3 }, "Episode").track).toBeUndefined();
    const inAlbum = { title: "Song", album: "Album", track: "3" };
    expect(withChosenTags(inAlbum, { title: "Other" }).track).toBe("3");
    expect(withChosenTags(inAlbum, { album: "Other" }).track).toBeUndefined();
  });

  it("decodes what a site has escaped, and leaves what a visitor writes as it is", () => {
    expect(tagsOf({ album: "A &amp; B", description: "1 &lt; 2\nit&#39;s" }, "A")).toMatchObject({
      album: "A & B",
      description: "1 < 2\nit's",
    });
    expect(withChosenTags({ title: "A" }, { title: "&amp; in HTML", description: "&lt;b&gt;" })).toMatchObject({
      title: "&amp; in HTML",
      description: "&lt;b&gt;",
    });
  });

  it("takes the album", () => expect(tagsOf({ album: " An\nalbum " }, "A").album).toBe("An album"));
});

describe("the place in an album that a video was chosen from", () => {
  const found = { title: "Rain", artist: "Somebody, A guest", album: "Best of", albumArtist: "Label", track: "7" };
  const place = { title: "Weather", artist: "Somebody", of: 12, track: 3 };
  const expected = { ...found, album: "Weather", albumArtist: "Somebody", track: "3/12" };

  it("replaces what the site says of an album", () => {
    expect(withAlbum(found, place)).toEqual(expected);
    expect(withAlbum(found, { title: "Weather", track: 3 }).track).toBe("3");
    expect(withAlbum(found, undefined)).toEqual(found);
  });

  it("has the site's artist where the list names none", () => {
    const artistOf = (tags: typeof found | { title: string; artist?: string }) =>
      withAlbum(tags, { ...place, artist: undefined }).albumArtist;
    expect(artistOf(found)).toBe("Label");
    expect(artistOf({ title: "Rain", artist: "Somebody" })).toBe("Somebody");
    expect(artistOf({ title: "Rain" })).toBeUndefined();
  });

  it("stays where the visitor changes other tags, and gives way to the album of the visitor", () => {
    const tags = withAlbum(found, place);
    expect(withChosenTags(tags, { title: "Snow" })).toEqual({ ...expected, title: "Snow" });
    expect(withChosenTags(tags, { artist: "Nobody" })).toEqual({
      ...expected,
      artist: "Nobody",
      albumArtist: undefined,
    });
    expect(withChosenTags(tags, { album: "Winter" })).toEqual({
      ...expected,
      album: "Winter",
      albumArtist: undefined,
      track: undefined,
    });
  });
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
    const inAlbum = { ...found, albumArtist: "Somebody" };
    expect(withChosenTags(inAlbum, { title: "Snow" })).toEqual({ ...inAlbum, title: "Snow" });
    expect(withChosenTags(inAlbum, { artist: "Nobody" })).toEqual({ ...found, artist: "Nobody" });
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

it.each<[SiteMetadata, string | undefined]>([
  [{ channel: "A - Topic" }, "certain"],
  [{ channel: "A", track: "Song", artist: "A" }, "possible"],
  [{ channel: "A", track: "Song", artists: ["A"] }, "possible"],
  [{ channel: "A", track: "7" }, undefined],
  [{ channel: "Hot Topic", categories: ["Music"] }, undefined],
])("a square cover is in the picture of %j: %j", (metadata, squareCover) => {
  expect(squareCoverOf(metadata)).toBe(squareCover);
});
