/** What rows say of their player. */
export const en = {
  play: (title: string) => `Play ${title}`,
  pause: (title: string) => `Pause ${title}`,
  line: (title: string) => `Position in ${title}`,
  position: (at: string, of: string) => `${at} of ${of}`,
  broken: "Playback broke off. Press play again, or download the file.",
  startsOver: "The conversion starts over. Play it again when the row says that it can be played.",
};

export type PlayerTexts = typeof en;
