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
