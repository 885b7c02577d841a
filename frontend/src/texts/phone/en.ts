import { pluralIn } from "../plural.ts";

const plural = pluralIn("en");

/** The sheet with a link to a file, for another device. */
export const en = {
  toPhone: "To my phone",
  toPhoneOf: (title: string) => `To my phone: ${title}`,
  close: "Close",
  lasts: "How long the link works",
  once: "Once",
  tenMinutes: "10 minutes",
  scan: "Scan the code with the other device, or open the link there. It needs no account.",
  onlyHere: "Other devices cannot open this address. Open Tapedeck by the name or IP address of this computer first.",
  code: "QR code of the link",
  address: "Link to the file",
  copy: "Copy",
  copied: "Copied",
  loading: "Making the link…",
  failed: "That did not work.",
  again: "Try again",
  worksOnce: "Works once.",
  opened: (times: number) => plural(times, { one: `Opened ${times} time.`, other: `Opened ${times} times.` }),
  used: "This link is used up.",
  ended: "This link has ended.",
  revoked: "This link was revoked.",
  elsewhere: "There is a link already. Its code is shown only where it was made.",
  another: "Make a new link",
  revoke: "Revoke",
  share: "Share…",
  sharing: "Loading the file…",
  shareAgain: "The file is loaded. Press Share again.",
  notShared: "The file could not be shared. Use the link.",
};

export type PhoneTexts = typeof en;
