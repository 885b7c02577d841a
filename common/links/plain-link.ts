/** The links that most visitors paste: whole, alone and undamaged. They need none of the rest. */

const VIDEO =
  /^https?:\/\/(?:(?:\w+\.)?youtube\.com\/(?:watch\?v=|shorts\/|live\/)|youtu\.be\/)[\w-]{11}(?:[?&#][\w%=&-]*)?$/;

/** Whether a text is the undamaged link of one video at YouTube, so that it is shown and sent as it is. */
export function isPlainLink(text: string): boolean {
  return VIDEO.test(text);
}
