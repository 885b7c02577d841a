import { beforeAll, afterAll, expect, it } from "vitest";
import { ErrorBody, exactly, SENTENCES } from "../../../common/errors.ts";
import { describeReason } from "../../../common/reason-sentences.ts";
import { EXACT_REASONS, type Reason } from "../../../common/reasons.ts";
import { describeShortfall, type Shortfall } from "../../../common/shortfall.ts";
import { de } from "./de.ts";
import { wordShortfall } from "./reason-words.ts";
import { currentFormats, currentTexts, sentenceOf, showLanguage, speakOfSites } from "./store.ts";

beforeAll(() => showLanguage("de"));
afterAll(() => showLanguage("en"));

it("translates the sentence of a known error code", () => {
  expect(sentenceOf({ code: "too_long", message: "Longer than 20 minutes." })).toBe(de.errors.too_long);
  expect(sentenceOf({ code: "internal", message: SENTENCES.internal })).toBe(de.errors.internal);
});

const MB = 1_000_000;
it.each<[Reason, english: string, german: string, arabic: string]>([
  [
    { name: "longer_than_plan", maxSeconds: 1_200, proMaxSeconds: 7_200 },
    "Longer than 20 minutes. Pro takes up to 2 hours.",
    "Länger als 20 Minuten. Pro nimmt bis zu 2 Stunden.",
    "أطول من 20 دقيقة. يقبل Pro حتى ساعتان.",
  ],
  [
    { name: "longer_than_plan", maxSeconds: 7_200, proMaxSeconds: null },
    "Longer than 2 hours, the longest that can be converted.",
    "Länger als 2 Stunden, mehr lässt sich nicht umwandeln.",
    "أطول من ساعتان، وهو أقصى ما يمكن تحويله.",
  ],
  [
    { name: "result_too_large", neededBytes: 50 * MB + 1, maxBytes: 50 * MB, proMaxBytes: 500 * MB },
    "This video would take 51 MB at the lowest quality; your plan allows 50 MB. Pro takes up to 500 MB.",
    "Dieses Video bräuchte selbst in der niedrigsten Qualität 51 MB; dein Tarif erlaubt 50 MB. Pro nimmt bis zu 500 MB.",
    "سيحتاج هذا الفيديو إلى 51 م.ب حتى بأدنى جودة، وخطتك تسمح بـ 50 م.ب. يقبل Pro حتى 500 م.ب.",
  ],
  [
    { name: "source_too_large", sourceBytes: 900 * MB, maxBytes: 50 * MB, proMaxBytes: null },
    "This video is 900 MB at its source, too much to fetch for a file of at most 50 MB.",
    "Dieses Video hat an seiner Quelle 900 MB, zu viel für eine Datei von höchstens 50 MB.",
    "حجم هذا الفيديو في مصدره 900 م.ب، وهو أكثر مما يُجلب لملف لا يتجاوز 50 م.ب.",
  ],
])("words %j in each language", async (reason, english, german, arabic) => {
  const error = { code: "too_large", message: describeReason(reason as Parameters<typeof describeReason>[0]), reason };
  expect(ErrorBody.parse(error)).toEqual(error);
  const wording = sentenceOf(ErrorBody.parse(error));
  await showLanguage("ar");
  const inArabic = sentenceOf(ErrorBody.parse(error));
  await showLanguage("de");
  expect([error.message, wording, inArabic]).toEqual([english, german, arabic]);
});

it("words limits of requests with their figures", () => {
  const wordingOf = (reason: Reason) => sentenceOf({ code: "rate_limited", message: "English", reason });
  expect(wordingOf({ name: "too_many_requests", retryAfterSeconds: 1 })).toBe(
    "Zu viele Anfragen. Versuch es in 1 Sekunde noch einmal.",
  );
  expect(wordingOf({ name: "too_many_active", active: 5, most: 5 })).toContain("laufen 5 Umwandlungen");
  expect(wordingOf({ name: "links_at_once", most: 20 })).toBe(de.converter.problems.tooMany(20));
});

it("falls back to the text of the code for a reason of a newer server", () => {
  const error = ErrorBody.parse({ code: "too_long", message: "Too long.", reason: { name: "shorter", figure: 1 } });
  expect(sentenceOf(error)).toBe(de.errors.too_long);
});

it("words why a picture has fewer lines than the plan allows", () => {
  const words = (shortfall: Shortfall) => wordShortfall(shortfall, currentTexts(), currentFormats());
  const toFit: Shortfall = { reason: "file_size", heightLines: 360, maxBytes: 50 * MB };
  expect([words(toFit), describeShortfall(toFit)]).toEqual([
    "360p, damit die Datei in 50 MB passt",
    "360p to fit 50 MB",
  ]);
  expect(words({ reason: "site", heightLines: 720 })).toBe("720p: mehr gab die Seite nicht her");
});

it("has words in every language for each exact sentence of the server", () => {
  for (const name of EXACT_REASONS) {
    const error = ErrorBody.parse({ code: "unavailable", ...exactly(name) });
    expect(sentenceOf(error)).toBe(de.exactErrors[name]);
  }
});

it("asks for the link of a video where links to any site are accepted, also in the next language", async () => {
  speakOfSites(true);
  const asked = () => [currentTexts().converter.problems.empty, currentTexts().errors.invalid_link];
  expect(asked()).toEqual(Array(2).fill(de.exactErrors.no_video_link));
  await showLanguage("en");
  expect(asked()).toEqual(Array(2).fill("Please enter a valid link to a video"));
  speakOfSites(false);
  expect(asked()).toEqual(["Please enter a YouTube URL", "Please enter a valid YouTube URL"]);
  await showLanguage("de");
});

it("knows an exact sentence by its reason, whatever its English words are", () => {
  const error = { code: "unavailable", message: "Taken down." } as const;
  expect(sentenceOf({ ...error, reason: { name: "removed_for_copyright" } })).toBe(
    de.exactErrors.removed_for_copyright,
  );
  expect(sentenceOf({ ...error, message: exactly("removed_for_copyright").message })).toBe(de.errors.unavailable);
});

it("words when a premiere starts in the language and the time zone of the visitor", async () => {
  const startsAt = "2026-11-24T23:30:00.000Z";
  const error = (precision: "hour" | "day") => ({
    code: "live" as const,
    message: "This video starts around 2026-11-24 23:30 UTC.",
    reason: { name: "starts_later" as const, startsAt, precision },
  });
  const local = (locale: string, options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(locale, options).format(new Date(startsAt));
  const moment = { dateStyle: "medium", timeStyle: "short" } as const;
  expect(sentenceOf(error("hour"))).toContain(`beginnt ungefähr am ${local("de", moment)}.`);
  expect(sentenceOf(error("day"))).toContain(`beginnt ungefähr am ${local("de", { dateStyle: "long" })}.`);
  await showLanguage("en");
  expect(sentenceOf(error("hour"))).toContain(`starts around ${local("en", moment)}.`);
  await showLanguage("de");
});

it("shows the server's message for an error code that this build does not know", () => {
  const error = ErrorBody.parse({ code: "code_of_a_newer_server", message: "All lines are busy." });
  expect(sentenceOf(error)).toBe("All lines are busy.");
});
