/** The page with last week's times, and the receipt of a job. */
export const en = {
  title: "How long it takes",
  description: "How long conversions took in the last days, where the time went, and what was promised.",
  /** @param days "7 days" */
  lead: (days: string) => `From the press of Convert to the file, as measured in the last ${days}.`,
  conversions: "Conversions",
  half: "Half took at most",
  nineInTen: "Nine in ten took at most",
  where: "Where the time went",
  parts: {
    wait: "Waiting for a turn",
    site: "Asking the video site",
    line: "Fetching the video",
    ours: "Finishing the file",
  },
  promise: "Promised and kept",
  /** @param percent "86%" */
  kept: (percent: string) => `${percent} of the files were there by the first estimate, or up to a tenth later.`,
  off: (percent: string) => `Half of the first estimates were off by ${percent} or less.`,
  noPromise: "Most files were there before there was an estimate.",
  byDay: "Day by day",
  day: "Day",
  counted: "Files that were there already, and videos whose site made them wait, are not counted.",
  tooFew: "There are too few conversions to say. Come back in a day or two.",
  failed: "The times could not be read.",
  /** Of one job. */
  receipt: {
    total: (span: string) => `${span} from Convert to the file`,
    promised: (span: string) => `The first estimate said ${span}.`,
    all: "How long it takes for everybody",
  },
  retry: "Try again",
};

export type SpeedTexts = typeof en;
