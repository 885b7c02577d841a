import { describe, expect, it } from "vitest";
import { Album, MAX_TAG_LENGTH } from "../../../common/choices.ts";
import { albumOf } from "./album.ts";

const RELEASE = "OLAK5uy_lXjQ8pTRX4o1sDMNvmAT2ea4VZoF0VqHg";
const by = (...channels: readonly (string | null)[]) => channels.map((channel) => ({ _type: "url", channel }));

describe("a list is an album", () => {
  it.each([
    ["a release of YouTube Music", { id: RELEASE, title: "Album - Weather" }, "Weather"],
    ["a single", { id: RELEASE, title: "Single - Rain" }, "Rain"],
    ["an EP", { id: RELEASE, title: "EP - Drops" }, "Drops"],
    ["a release whose title says nothing", { id: RELEASE, title: "Weather" }, "Weather"],
    ["a copy of a release", { id: "PL1", title: "Album - Weather &amp; wind" }, "Weather & wind"],
    ["an album of Bandcamp", { extractor_key: "BandcampAlbum", title: "Weather" }, "Weather"],
    ["an album of SoundCloud", { title: "Weather (set)", album: "Weather", album_type: "album" }, "Weather"],
    ["a list that names an album", { title: "Someone's page", album: "Weather" }, "Weather"],
  ])("that is %s", (_, list, title) => expect(albumOf(list)?.title).toBe(title));

  it.each([
    ["a playlist", { id: "PL1", extractor_key: "YoutubeTab", title: "Weather" }],
    ["a playlist about albums", { id: "PL1", title: "Album reviews - 2019" }],
    ["a playlist with the name of a kind alone", { id: "PL1", title: "Album - " }],
    ["a single of somebody's playlist", { id: "PL1", title: "Single - how to live alone" }],
    ["a playlist of SoundCloud", { extractor_key: "SoundcloudSet", album: "Weather", album_type: "playlist" }],
    ["a showcase of videos", { extractor_key: "VimeoAlbum", title: "Weather" }],
    ["pictures", { extractor_key: "ImgurAlbum", title: "Weather" }],
    ["the albums of an artist", { extractor_key: "YandexMusicArtistAlbums", title: "Weather" }],
    ["a release without a title", { id: RELEASE }],
    ["a list of which nothing is known", {}],
  ])("and not %s", (_, list) => expect(albumOf(list)).toBeUndefined());
});

describe("the artist of an album is", () => {
  const artistOf = (list: object) => albumOf({ id: RELEASE, title: "Album - Weather", ...list })?.artist;

  it("the one that the site names", () =>
    expect(artistOf({ album_artist: "Cloud &amp; Sons", entries: by("Rain - Topic") })).toBe("Cloud & Sons"));

  it("the one whose channels have most of the songs of a release", () => {
    expect(artistOf({ entries: by("Rain - Topic", "Rain - Topic", "Rain - Topic") })).toBe("Rain");
    expect(artistOf({ entries: by("Rain - Topic", "Rain", "A guest") })).toBe("Rain");
  });

  it("nobody alone where the songs are of many", () => {
    expect(artistOf({ entries: by("Rain - Topic", "Snow - Topic") })).toBe("Various Artists");
    expect(artistOf({ entries: by("Rain - Topic", "Snow - Topic", "Hail - Topic") })).toBe("Various Artists");
  });

  it("not known where the entries have no channel, or the one of whoever uploaded them", () => {
    expect(artistOf({ entries: [...by(null), null, 5, {}] })).toBeUndefined();
    expect(artistOf({ id: "PL1", entries: by("A fan", "A fan") })).toBeUndefined();
  });
});

it("gives texts that a request for a conversion may have", () => {
  const long = "la 😀".repeat(MAX_TAG_LENGTH);
  const album = albumOf({ id: RELEASE, title: `Album - ${long}`, album_artist: `\u202e${long}` });
  expect(Album.safeParse(album)).toMatchObject({ success: true, data: album });
});
