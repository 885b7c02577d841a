import { pluralIn } from "../plural.ts";

const plural = pluralIn("en");

export const en = {
  button: "Choices",
  name: "Choices for this video",
  /** Names of the groups that the choices have. */
  tabs: { cut: "Cut", format: "Format", subtitles: "Subtitles", tags: "Tags" },
  /** Said instead of the fields for a part. */
  noLength: "The length of this video is not known, so no part of it can be taken.",
  formats: {
    title: "More formats",
    names: { original: "Original sound", flac: "FLAC", wav: "WAV", transcript: "Transcript" },
    purposes: {
      original: "As the site has it, M4A or Opus: not encoded again, so nothing is lost.",
      flac: "For music collections that want FLAC. Larger than the original sound, not better.",
      wav: "Uncompressed, for editing programs. The largest.",
      transcript: "What is said, as text: the subtitles as a file of their own.",
    },
    forPro: "with Pro",
  },
  part: {
    title: "A part of it",
    start: "Start",
    end: "End",
    startHandle: "Start of the part",
    endHandle: "End of the part",
    /** @param length such as "2:03" */
    chosen: (length: string) => `${length} chosen`,
    chapter: "Chapter",
    noChapter: "Choose a chapter",
    whole: "Take the whole video",
    problems: {
      time: "Write a time such as 1:02:03.",
      order: "The end must be at least one second after the start.",
      beyond: (end: string) => `The video ends at ${end}.`,
    },
  },
  chapterFiles: {
    title: "Chapters",
    one: "One file per chapter",
    purpose: "Its chapters as numbered and tagged files, together in one ZIP.",
  },
  sponsored: {
    /** Below the field for several videos. */
    ofMany: "In videos of YouTube, as viewers have marked them in SponsorBlock.",
    title: "Sponsored segments",
    keep: "Keep them",
    mark: "Mark them as chapters",
    cut: "Cut them out",
    /** @param length of all together, such as "1:23" */
    found: (count: number, length: string) =>
      `${plural(count, { one: "One segment", other: `${count} segments` })}, ${length}, marked by viewers in SponsorBlock.`,
    notOriginal: "The original sound is copied as it is, so nothing can be cut out of it; Mark adds chapters.",
  },
  sound: {
    title: "Language of the sound",
    original: (language: string) => `${language} (original)`,
  },
  /** For several videos. */
  many: {
    cut: "A part can be taken of one video at a time, not of several.",
    tags: "Each video keeps the tags of its site. They can be changed for one video at a time.",
    language: "A video without this language fails; the others go on.",
    original: "The original of each video",
  },
  subtitles: {
    title: "Subtitles",
    none: "None",
    automatic: (language: string) => `${language} (automatic)`,
    noneThere: "This video has no subtitles.",
    onlyMp4: "Choose MP4 to add them, or Transcript for a file of their own: other formats take none.",
    own: "The video's own language",
    kind: "Kind of file",
    kinds: {
      srt: "SRT: with times, for players",
      vtt: "VTT: with times, for web pages",
      txt: "Plain text, without times",
    },
  },
  tags: {
    title: "Tags in the file",
    song: "Title",
    artist: "Artist",
    album: "Album",
    date: "Date",
    /** In the empty field: the form that a date has. */
    dateExample: "2024-05-17",
    description: "Description",
    asFound: "Take the site's tags",
  },
};

export type ChoicesTexts = typeof en;
