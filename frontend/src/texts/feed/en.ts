export const en = {
  title: "My tapes as a podcast",
  about: (kept: string) =>
    `Follow what you convert to sound in any podcast app, on all your devices. With your plan a tape stays for ${kept}.`,
  loading: "Loading the feed",
  notLoaded: "The feed could not be loaded.",
  retry: "Try again",
  none: "No address yet",
  failed: "That did not work. Check your connection and try again.",
  make: "Make the address",
  on: "Your feed is on",
  since: (day: string) => `address made ${day}`,
  neverRead: "not read by an app yet",
  lastRead: (day: string) => `last read ${day}`,
  copyNow: "Copy this address into your podcast app now. It is not shown again, and whoever has it can listen.",
  open: "Open in a podcast app",
  copy: "Copy",
  copied: "Copied",
  done: "Done",
  renewal: {
    revoke: "New address",
    revokeNamed: (name: string) => `New address for ${name}`,
    revokeForGood: "Replace the old address",
    keep: "Keep it",
  },
  revoke: "Turn off",
  revokeNamed: (name: string) => `Turn off ${name}`,
  revokeForGood: "Turn off for good",
  keep: "Keep it",
};

export type FeedTexts = typeof en;
