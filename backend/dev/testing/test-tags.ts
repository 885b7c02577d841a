import type { FileTags } from "../../pipeline/encode/encode.ts";

/** Every tag of a file, with letters that some tag formats do not have. */
export const TEST_TAGS: Required<Omit<FileTags, "chapters">> = {
  title: "Söng für Zoë 🎵",
  artist: "Somebody & friends",
  album: "Äll of it",
  albumArtist: "Somebody",
  track: "3/12",
  date: "2024-05-17",
  description: "The first line\nThe second line",
  link: "https://www.youtube.com/watch?v=dQw4w9WgXcQ",
};

/** What music-metadata reads of them in each kind of file that has tags. */
export const READ_TAGS = {
  title: TEST_TAGS.title,
  artist: TEST_TAGS.artist,
  album: TEST_TAGS.album,
  albumartist: TEST_TAGS.albumArtist,
  track: { no: 3, of: 12 },
};
