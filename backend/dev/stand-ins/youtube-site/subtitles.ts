/** Subtitles of the YouTube-shaped site, as it serves them as WebVTT. */

export const SUBTITLES = "WEBVTT\n\n00:00.000 --> 00:02.000\nHello\n";

/** Automatic ones: each line is shown alone, then above the next one, and words have their own times. */
export const ROLLING_SUBTITLES = `WEBVTT
Kind: captions
Language: de

00:00:01.000 --> 00:00:03.000 align:start position:0%
 
guten<00:00:01.400><c> Morgen</c>

00:00:03.000 --> 00:00:03.010 align:start position:0%
guten Morgen
 

00:00:03.010 --> 00:00:06.000 align:start position:0%
guten Morgen
und<00:00:04.000><c> willkommen</c>

00:00:06.000 --> 00:00:06.010 align:start position:0%
und willkommen
 
`;
