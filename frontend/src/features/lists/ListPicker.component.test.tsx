/** What is sent of a list, also of one that is an album, and what comes of entries that are refused. */
import { beforeEach, expect, it } from "vitest";
import { page } from "vitest/browser";
import type { ListPage } from "../../../../common/lists.ts";
import { isOwn } from "../../client/own-jobs.ts";
import { fakeApi, json, refusal } from "../../testing/fake-api.ts";
import { convert, field } from "../../testing/home.ts";
import { SENTENCES } from "../../../../common/errors.ts";
import { openPage } from "../../testing/open-page.tsx";
import { makeUser } from "../../testing/sample-answers.ts";
import { makeJob } from "../../testing/sample-jobs.ts";
import { expectToastShown } from "../../testing/toasts.ts";
import { violationsOfPage } from "../../testing/violations.ts";
import { LANGUAGES } from "../../texts/languages.ts";
import type { Language } from "../../texts/languages.ts";
import { currentTexts, showLanguage } from "../../texts/store.ts";

/** The page keeps the list that was opened last, so each test has lists of its own. */
const list = (id: string) => `https://www.youtube.com/playlist?list=${id}`;
const album = { title: "Weather", artist: "Rain", of: 4 };
const option = (title: RegExp) => page.getByRole("option", { name: title });
const linkOf = (title: string) => `https://www.youtube.com/watch?v=${title.padEnd(11, "0")}`;

function listOf(fields: Partial<ListPage>): ListPage {
  const entries = ["Drops", "Gone", "Puddles", "Sun"].map((title) => ({
    link: linkOf(title),
    title,
    durationSeconds: 60,
    ...(title === "Gone" && { problem: "deleted" as const }),
  }));
  return {
    link: list("PL0"),
    title: "Album - Weather",
    total: 4,
    isCut: false,
    offset: 0,
    next: null,
    entries,
    ...fields,
  };
}

beforeEach(() => {
  fakeApi.answer("POST /api/preview", () => refusal(422, "playlist", "That is a list."));
  fakeApi.answer("POST /api/lists", () => json(listOf({ album })));
  fakeApi.answer("POST /api/conversions", () => json(makeJob()));
  fakeApi.answer("POST /api/selections", () => json({ batchId: "album", total: 2, jobs: [], refused: [] }, 201));
});

it("several songs of an album are sent with their numbers in all of it", async () => {
  await openPage("/", { user: makeUser({ tier: "pro" }) });
  await field.fill(list("OLAK5uy_several"));
  await option(/^Sun/).click();
  await option(/^Puddles/).click();
  await convert.click();
  await expect
    .poll(() => fakeApi.bodies("POST /api/selections"))
    .toEqual([
      {
        title: "Album - Weather",
        urls: ["Puddles", "Sun"].map(linkOf),
        tracks: [3, 4],
        format: "mp3",
        choices: { album },
      },
    ]);
});

it("what is chosen also becomes one tape where the format and the count allow it, else the switch says why not", async () => {
  await openPage("/", { user: makeUser({ tier: "pro" }) });
  await field.fill(list("PLtape"));
  const tape = page.getByRole("switch", { name: "As one tape too" });
  await option(/^Sun/).click();
  await expect.element(tape).toBeDisabled();
  await expect.element(tape).toHaveAccessibleDescription("Choose at least two videos.");
  await option(/^Puddles/).click();
  await expect.element(tape).toBeEnabled();
  await tape.click();
  await expect.element(tape).toBeChecked();
  await expect.poll(violationsOfPage).toEqual([]);
  await page.getByText("MP4", { exact: true }).first().click();
  await expect.element(tape).toBeDisabled();
  await expect.element(tape).not.toBeChecked();
  await expect.element(tape).toHaveAccessibleDescription("Only of MP3 and original sound.");
  await page.getByText("MP3", { exact: true }).first().click();
  await expect.element(tape).toBeChecked();
  const made = makeJob({ id: "the-tape", status: "queued", tape: { batchId: "album", songs: 2, waitsFor: 2 } });
  const songs = [makeJob({ id: "sun", batchId: "album" }), makeJob({ id: "puddles", batchId: "album" })];
  const answer = { batchId: "album", total: 2, jobs: songs, tape: made, refused: [] };
  fakeApi.answer("POST /api/selections", () => json(answer, 201));
  await convert.click();
  await expect
    .poll(() => fakeApi.bodies("POST /api/selections"))
    .toMatchObject([{ urls: ["Puddles", "Sun"].map(linkOf), format: "mp3", asOneFile: true }]);
  // So its end has a tone and a notice, as that of any job that was started here.
  await expect.poll(() => ["the-tape", "sun", "puddles"].filter(isOwn)).toHaveLength(3);
});

it("a free account is not offered a tape", async () => {
  await openPage("/", { user: makeUser() });
  await field.fill(list("PLfreetape"));
  await expect.element(option(/^Sun/)).toBeVisible();
  await expect.element(page.getByRole("switch")).not.toBeInTheDocument();
});

it("one song of an album is sent with its number, and one of another list without", async () => {
  await openPage("/");
  await field.fill(list("OLAK5uy_one"));
  await option(/^Puddles/).click();
  await convert.click();
  const sent = { youtubeUrl: linkOf("Puddles"), format: "mp3" };
  const ofAlbum = { ...sent, choices: { album: { ...album, track: 3 } } };
  await expect.poll(() => fakeApi.bodies("POST /api/conversions")).toEqual([ofAlbum]);
  fakeApi.answer("POST /api/lists", () => json(listOf({})));
  await field.fill(list("PLnoalbum"));
  await option(/^Puddles/).click();
  await convert.click();
  await expect.poll(() => fakeApi.bodies("POST /api/conversions")).toEqual([ofAlbum, sent]);
});

it("pictures of a short list are asked for once it is shown, and appear beside their titles", async () => {
  const thumbnail = "data:image/jpeg;base64,/9j/";
  const { entries } = listOf({});
  const pictured = entries.map((entry) => (entry.title === "Sun" ? { ...entry, thumbnail } : entry));
  fakeApi.answer("POST /api/lists", ({ body }) =>
    json(listOf({ entries: (body as { thumbnails?: boolean }).thumbnails ? pictured : entries })),
  );
  await openPage("/");
  await field.fill(list("PLpictured"));
  const picture = page.getBySelector("[role=option] img");
  await expect.element(picture).toHaveAttribute("src", thumbnail);
  expect(picture.elements()).toHaveLength(1);
});

/** Sends two entries, of which the second is refused. */
async function sendRefused(id: string): Promise<void> {
  const refused = [{ line: 2, url: linkOf("Sun"), code: "blocked", message: SENTENCES.blocked }];
  const jobs = [makeJob({ batchId: "part" })];
  fakeApi.answer("POST /api/selections", () => json({ batchId: "part", total: 1, jobs, refused }, 201));
  await page.viewport(390, 664);
  await openPage("/", { user: makeUser({ tier: "pro" }) });
  await field.fill(list(id));
  await option(/^Puddles/).click();
  await option(/^Sun/).click();
  await convert.click();
}

it("an entry that is refused stands below the form with its reason in every language, and is heard once", async () => {
  await sendRefused("PLrefused");
  const region = page.getByRole("region", { name: "Refused links" });
  await expect.element(region).toMatchTextContent(`One link was not startedEdit themSun${SENTENCES.blocked}`);
  expect(region.element().getBoundingClientRect().bottom).toBeLessThanOrEqual(664);
  await expectToastShown(`Batch Failed One link was not started. ${SENTENCES.blocked}`);
  const announced = document.querySelectorAll("[aria-live], [role=alert], [role=status]");
  expect([...announced].filter(({ textContent }) => textContent.includes(SENTENCES.blocked))).toHaveLength(1);
  await expect.poll(violationsOfPage).toEqual([]);
  for (const language of Object.keys(LANGUAGES) as Language[]) {
    await showLanguage(language);
    const { refusedLines, refused } = currentTexts().converter;
    const sentence = language === "en" ? SENTENCES.blocked : currentTexts().errors.blocked;
    const shown = page.getByRole("region", { name: refusedLines });
    await expect.element(shown).toMatchTextContent(refused(1));
    await expect.element(shown).toMatchTextContent(sentence);
  }
});

it("refused entries can be edited as a batch, and leave with the next link", async () => {
  await sendRefused("PLedited");
  const region = page.getByRole("region", { name: "Refused links" });
  await region.getByRole("button", { name: "Edit them" }).click();
  await expect.element(page.getByLabelText("Video links, one a line")).toHaveValue(linkOf("Sun"));
  await expect.element(region).not.toBeInTheDocument();
});
