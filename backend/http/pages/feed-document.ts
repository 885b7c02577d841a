/** A feed as podcast apps read it: RSS 2.0 with the namespaces of Apple and of Podcasting 2.0. */
import type { OpenedFeed, Tape } from "../../domain/feeds/feeds.ts";
import { contentTypeOf, endingOf } from "../../../common/file-types.ts";
import type { Language } from "../../../common/languages.ts";
import type { ChapterMark } from "../../../common/preview-details.ts";

const TEXTS = {
  en: {
    title: "My tapes",
    about: "What you have converted to sound, as long as it is kept. Whoever has the address of this feed can listen.",
    until: (when: string) => `Kept until ${when}.`,
  },
  de: {
    title: "Meine Tapes",
    about:
      "Was du in Ton umgewandelt hast, solange es aufbewahrt wird. Wer die Adresse dieses Feeds hat, kann mithören.",
    until: (when: string) => `Aufbewahrt bis ${when}.`,
  },
  es: {
    title: "Mis cintas",
    about: "Lo que has convertido en audio, mientras se guarda. Quien tenga la dirección de este feed puede escuchar.",
    until: (when: string) => `Se guarda hasta el ${when}.`,
  },
  hi: {
    title: "मेरे टेप",
    about: "जो आपने ऑडियो में बदला है, जब तक वह रखा जाता है। जिसके पास इस फ़ीड का पता है, वह सुन सकता है।",
    until: (when: string) => `${when} तक रखा जाएगा।`,
  },
  ar: {
    title: "أشرطتي",
    about: "ما حوّلته إلى صوت ما دام محفوظًا. كل من لديه عنوان هذه الخلاصة يمكنه الاستماع.",
    until: (when: string) => `محفوظ حتى ${when}.`,
  },
} as const satisfies Record<Language, unknown>;

/** Where the parts of a feed are. */
export interface FeedAddresses {
  /** Of the site, without a slash at its end. */
  readonly site: string;
  fileOf(tape: Tape): string;
  pictureOf(tape: Tape): string;
  chaptersOf(tape: Tape): string;
}

const NAMESPACES = {
  "xmlns:itunes": "http://www.itunes.com/dtds/podcast-1.0.dtd",
  "xmlns:podcast": "https://podcastindex.org/namespace/1.0",
};

/** Of the file of chapters that Podcasting 2.0 has beside the feed. */
export const CHAPTERS_TYPE = "application/json+chapters";

/** @returns that file's content */
export function chaptersDocument(chapters: readonly ChapterMark[]) {
  return { version: "1.2.0", chapters: chapters.map(({ title, startSeconds: startTime }) => ({ startTime, title })) };
}

export function feedDocument({ language, tapes }: OpenedFeed, addresses: FeedAddresses): string {
  const texts = TEXTS[language];
  const { site } = addresses;
  const channel = element(
    "channel",
    {},
    element("title", {}, text(`${texts.title} – Tapedeck`)),
    element("link", {}, text(`${site}/dashboard`)),
    element("description", {}, text(texts.about)),
    element("language", {}, language),
    element("itunes:author", {}, "Tapedeck"),
    element("itunes:image", { href: `${site}/icon-512.png` }),
    element("itunes:explicit", {}, "false"),
    // Directories leave it out.
    element("itunes:block", {}, "Yes"),
    ...tapes.map((tape) => itemOf(tape, language, addresses)),
  );
  return `<?xml version="1.0" encoding="UTF-8"?>\n${element("rss", { version: "2.0", ...NAMESPACES }, channel)}\n`;
}

function itemOf(tape: Tape, language: Language, addresses: FeedAddresses): string {
  const { title: chosenTitle, artist } = tape.choices?.tags ?? {};
  const until = TEXTS[language].until(timeIn(language, tape.expiresAt));
  return element(
    "item",
    {},
    element("title", {}, text(chosenTitle ?? tape.title)),
    element("link", {}, text(tape.sourceUrl)),
    element("guid", { isPermaLink: "false" }, tape._id),
    element("pubDate", {}, (tape.completedAt ?? tape.createdAt).toUTCString()),
    element("description", {}, text(`${until} ${tape.sourceUrl}`)),
    element("enclosure", {
      url: addresses.fileOf(tape),
      length: String(tape.fileSize),
      type: contentTypeOf(tape),
    }),
    ...(artist === undefined ? [] : [element("itunes:author", {}, text(artist))]),
    ...(tape.durationSeconds === undefined
      ? []
      : [element("itunes:duration", {}, String(Math.round(tape.durationSeconds)))]),
    ...(tape.thumbnailKey === undefined ? [] : [element("itunes:image", { href: addresses.pictureOf(tape) })]),
    ...(tape.chapters === undefined
      ? []
      : [element("podcast:chapters", { url: addresses.chaptersOf(tape), type: CHAPTERS_TYPE })]),
  );
}

/** The name of a tape's file in its address: some apps know the kind of a file by that alone. */
export function tapeFileName(tape: Tape): string {
  return `tape.${endingOf(tape)}`;
}

/** In the time of no country: an app may show a feed anywhere. Latin digits, as on our pages. */
function timeIn(language: Language, time: Date): string {
  const format = { dateStyle: "medium", timeStyle: "short", timeZone: "UTC" } as const;
  return `${new Intl.DateTimeFormat(`${language}-u-nu-latn`, format).format(time)} UTC`;
}

/** @param content of text by {@link text}, or elements */
function element(name: string, attributes: Readonly<Record<string, string>>, ...content: readonly string[]): string {
  const written = Object.entries(attributes).map(([key, value]) => ` ${key}="${text(value)}"`);
  const start = `<${name}${written.join("")}`;
  return content.length === 0 ? `${start}/>` : `${start}>${content.join("")}</${name}>`;
}

/** All that XML 1.0 has no way to write, such as control characters and halves of pairs. */
const NOT_IN_XML = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu;

/** Titles are of foreign sites. */
function text(value: string): string {
  return value.replace(NOT_IN_XML, "").replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
}
