/** The links that most visitors paste: whole, alone and undamaged. They need none of the rest. */

const VIDEO = new RegExp(
  String.raw`^https?:\/\/(?:(?:www\.|m\.|music\.)?youtube\.com\/watch\?v=[\w-]{11}(?:[&#][\w~%=&+:.-]*[\w=-])?` +
    String.raw`|(?:(?:www\.|m\.)?youtube\.com\/(?:shorts|live)\/|youtu\.be\/)[\w-]{11}(?:[?#][\w~%=&+:.-]*[\w=-])?)$`,
);

/** Whether a text is the undamaged link of one video at YouTube, so that it is shown and sent as it is. */
export function isPlainLink(text: string): boolean {
  return VIDEO.test(text);
}
