/** The sheet that cuts a finished file anew. */
export const en = {
  cutAgain: "Cut again",
  cutAgainOf: (title: string) => `Cut again: ${title}`,
  close: "Close",
  loading: "Drawing the sound…",
  noWaveform: "The sound could not be drawn. You can cut without it.",
  again: "Try again",
  playStart: "Hear the start",
  playEnd: "Hear the end",
  address: "Link to this part",
  copyLink: "Copy link",
  copied: "Copied",
  cut: "Cut",
  cutting: "Cutting…",
  gone: "This file is no longer here. Convert the part from its link.",
  failed: "The file could not be cut. Check your connection and try again.",
};

export type CutTexts = typeof en;
