export const en = {
  title: "Choose your plan.",
  /** Of the browser's tab. */
  tab: "Plans",
  /** What search engines and shared links show of the page. */
  description: (links: number) =>
    `Tapedeck Pro by the month or by the year: better quality, longer videos, ${links} links at once, and no ads. Cancel anytime.`,
  lead: (percent: string) => `The same Pro either way; a year at once costs ${percent} less.`,
  signInFirst: "First you sign in, so that Pro is yours on all your devices. Then you pay.",
  titleForPro: "You have Pro.",
  leadForPro: "Everything below is yours already.",
  switch: "Switch under Manage billing",
  owned: "You have Pro",
  limits: {
    title: "Higher limits",
    text: (span: string, size: string, links: number) =>
      `Videos up to ${span} and files up to ${size}, ${links} links at once, also as one tape, and playlists and channels that you follow.`,
  },
  quality: {
    title: "Premium quality",
    text: (mp3: string, mp4: string) => `MP3 at ${mp3} and MP4 in ${mp4}, first in the queue.`,
  },
  noAds: {
    title: "Ad-free",
    text: (span: string) => `No promotions anywhere, and files wait for you for ${span}.`,
  },
};

export type PlansTexts = typeof en;
