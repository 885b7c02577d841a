import { pluralIn } from "../plural.ts";

const plural = pluralIn("en");

/** Functions receive a number where the plural form depends on it, and beside it the same number as it is shown. */
export const en = {
  name: "Videos of the list",
  loading: "Reading the list",
  entries: (count: number, shown: string) => plural(count, { one: `${shown} entry`, other: `${shown} entries` }),
  readSoFar: (shown: string) => `${shown} read so far…`,
  /** @param title of the list; @param entries such as "5,000 entries" */
  announce: (title: string, entries: string) => `List: ${title}, ${entries}.`,
  cut: (most: string) => `Only the first ${most} are shown.`,
  failed: "This list cannot be read at the moment.",
  noList: "The videos behind this link cannot be listed. Open one of them and paste its own link.",
  stopped: "The rest of the list could not be read.",
  retry: "Try again",
  search: "Search titles",
  noMatch: "No title has these words.",
  all: "All",
  first: (count: number) => `First ${count}`,
  none: "None",
  range: "Choose a range",
  rangeFirst: "Tap the first video.",
  rangeLast: "Now tap the last one.",
  chosen: (chosen: string, total: string) => `${chosen} of ${total} chosen`,
  chosenSoFar: (chosen: string) => `${chosen} chosen`,
  single: (atOnce: number) =>
    `Your plan converts one video at a time. Pro converts up to ${atOnce} at once, and whole lists.`,
  /** @param size most videos in one batch */
  batches: (shown: string, batches: string, size: number) =>
    `${shown} videos: ${batches} batches of up to ${size}, one after the other.`,
  oneBatch: (shown: string) => `${shown} videos, as one batch.`,
  tooLong: (most: string) => `Longer than ${most}.`,
  tooLongForFree: (most: string) => `Longer than ${most}; Pro takes it.`,
  problems: {
    private: "This video is private.",
    deleted: "This video was deleted.",
    members_only: "Only for paying members of the channel.",
    upcoming: "This video has not begun yet.",
    live: "Live now: come back when it has ended.",
    list: "A list of its own: paste its link.",
    not_accepted: "On a site that is not supported.",
    unavailable: "This video is not available.",
  },
  nothingChosen: { title: "Nothing Chosen", description: "Choose at least one video of the list." },
  inList: "This video is in a list.",
  chooseFromList: "Choose from the list",
  onlyVideo: "Only this video",
  tape: {
    asOne: "As one tape too",
    purpose: "All of them in one file with chapters, when the last one is ready.",
    problems: {
      format: () => "Only of MP3 and original sound.",
      few: () => "Choose at least two videos.",
      many: (most: number) => `A tape has room for ${most}.`,
    },
  },
  follow: {
    offer: "New videos can come by themselves.",
    offerForPro: "With Pro, new videos come by themselves.",
    follow: "Follow",
    busy: "Reading the list…",
    done: "You follow this list.",
    conflict: "You follow this list already, or as many as Pro has.",
    failed: "That did not work. Check your connection and try again.",
    seeAll: "See what you follow",
  },
  row: {
    waitsForSongs: (left: string, songs: string) => `Waiting for ${left} of ${songs} songs`,
    ready: (ready: string, total: string) => `${ready} of ${total} ready`,
    follow: (count: number, shown: string) =>
      plural(count, { one: `${shown} more follows`, other: `${shown} more follow` }),
    /** Of jobs that the visitor has removed, or that are too old for the list. */
    goneFromPage: (count: string) => `${count} no longer shown`,
  },
};

export type ListTexts = typeof en;
