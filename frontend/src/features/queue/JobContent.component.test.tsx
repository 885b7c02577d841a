/** What the row of a job says. */
import { expect, it } from "vitest";
import { page } from "vitest/browser";
import { HOUR_MS } from "../../../../common/durations.ts";
import { SENTENCES } from "../../../../common/errors.ts";
import { openPage } from "../../testing/open-page.tsx";
import { makeJob } from "../../testing/sample-jobs.ts";
import { LANGUAGES } from "../../texts/languages.ts";
import type { Language } from "../../texts/languages.ts";
import { violationsOfPage } from "../../testing/violations.ts";
import { showLanguage } from "../../texts/store.ts";

const rowOf = (id: string) => page.getBySelector(`[data-job=${id}]`);

it("a job that waits for the video site, or for us to catch up with it, says when it continues", async () => {
  const resumesAt = new Date(Date.now() + 20 * 60_000).toISOString();
  await openPage("/", {
    jobs: [
      makeJob({ id: "resumes", attempt: 2, resumesAt }),
      makeJob({ id: "behind", attempt: 4, resumesAt, isCatchingUp: true }),
    ],
  });
  await expect.element(rowOf("resumes")).toMatchTextContent(/The video site asks us to wait; continues in \d+ minutes/);
  await expect.element(rowOf("resumes")).not.toMatchTextContent("attempt");
  await expect.element(rowOf("behind")).toMatchTextContent(/The video site has changed; continues in \d+ minutes/);
});

it("a file expires by the server's clock: that of the device may be hours ahead", async () => {
  const ahead = (ms: number) => new Date(Date.now() - 5 * HOUR_MS + ms).toISOString();
  const job = (id: string, expiresAt: string) =>
    makeJob({ id, title: id, status: "completed", downloadUrl: `/api/conversions/${id}/file`, expiresAt });
  const jobs = [job("kept", ahead(HOUR_MS)), job("over", ahead(-HOUR_MS))];
  const { push } = await openPage("/", { jobs });
  await expect.element(rowOf("kept")).toMatchTextContent("Expired");
  push("snapshot", { asOf: ahead(0), jobs });
  await expect.element(page.getBySelector('[aria-label="Download kept"]')).toBeVisible();
  await expect.element(rowOf("kept")).toMatchTextContent(/1 hr|1 hour|60 min|59 min/);
  await expect.element(rowOf("over")).toMatchTextContent("Expired");
});

it("a row says that its file has been downloaded, and Download is pale then, in the same place", async () => {
  const job = makeJob({
    status: "completed",
    downloadUrl: "/api/conversions/one/file",
    expiresAt: "2099-01-01T00:00:00Z",
  });
  await openPage("/", { jobs: [job] });
  const download = page.getBySelector('[aria-label="Download A clip"]');
  const before = (await download.findElement()).getBoundingClientRect();
  const color = getComputedStyle(download.element()).backgroundColor;
  await expect.element(rowOf("one")).toMatchTextContent("Ready");
  await download.click();
  await expect.element(rowOf("one")).toMatchTextContent("Downloaded ✓");
  expect(download.element().getBoundingClientRect()).toEqual(before);
  await page.getByRole("heading", { level: 1 }).hover();
  await expect.poll(() => getComputedStyle(download.element()).backgroundColor).not.toBe(color);
});

it.each([360, 390])("a row of a phone (%i wide) is 88 px high in every state, and says which one", async (width) => {
  const expiresAt = new Date(Date.now() + HOUR_MS).toISOString();
  const offered = { title: "How tape recorders were made: a factory tour", downloadUrl: "/api/conversions/one/file" };
  const states = {
    Waiting: { status: "queued" },
    "The video site asks us to wait": { status: "queued", attempt: 2, resumesAt: expiresAt },
    Downloading: { status: "processing", progress: 40, etaSeconds: 700 },
    "Already playable": { status: "processing", stage: "convert", progress: 80, format: "mp4", ...offered },
    Ready: { status: "completed", expiresAt, fileSize: 28_100_000, ...offered },
    Canceled: { status: "canceled" },
    Expired: { status: "completed" },
  };
  const [words, fields] = [Object.keys(states), Object.values(states)];
  await page.viewport(width, 664);
  await openPage("/", { jobs: fields.map((state, index) => makeJob({ id: `row-${index}`, ...state })) });
  for (const [index, word] of words.entries()) {
    const row = rowOf(`row-${index}`);
    const shown = await row.findElement();
    // Not what is hidden on phones.
    await expect.poll(() => shown instanceof HTMLElement && shown.innerText).toContain(word);
    // Beside the line between two rows.
    const { height } = row.getBySelector("article").element().getBoundingClientRect();
    expect([word, Math.floor(height)]).toEqual([word, 88]);
  }
});

/** The longest reasons, with and without ways out. */
const LONG_CODES = ["site_changed", "geo_blocked", "playlist", "blocked", "no_subtitles"] as const;
const REASONS = [
  {
    code: "too_long",
    message: "Longer than 20 minutes. Pro takes up to 2 hours.",
    reason: { name: "longer_than_plan", maxSeconds: 1_200, proMaxSeconds: 7_200 },
  },
  ...LONG_CODES.map((code) => ({ code, message: SENTENCES[code] })),
];

it.each([360, 390])("a row with many words is as high (%i wide), in each language; a tap shows all", async (width) => {
  const details = { durationSeconds: 3_000, createdAt: "2026-01-01T12:00:00Z" };
  const remarks = {
    status: "completed",
    format: "mp4",
    shortfall: { reason: "file_size", heightLines: 360, maxBytes: 50_000_000 },
    sponsorsUnknown: true,
    interlaced: true,
  };
  const file = { downloadUrl: "/api/conversions/one/file", expiresAt: new Date(Date.now() + HOUR_MS).toISOString() };
  const jobs = [
    ...REASONS.map((error, index) => makeJob({ id: `row-${index}`, status: "failed", error, ...details })),
    makeJob({ id: "ready", ...remarks, ...file, ...details }),
    makeJob({ id: "expired", ...remarks, ...details }),
    makeJob({ id: "blocked", ...remarks, isBlocked: true, ...details }),
  ];
  await page.viewport(width, 664);
  await openPage("/", { jobs });
  await expect.element(rowOf("row-0").getByRole("link", { name: "Upgrade to Pro" })).toBeVisible();
  for (const language of Object.keys(LANGUAGES) as Language[]) {
    await showLanguage(language);
    const lang = () => document.documentElement.lang;
    await expect.poll(lang).toBe(language);
    const rows = [...document.querySelectorAll("[data-job] article")];
    const heights = rows.map((row) => Math.floor(row.getBoundingClientRect().height));
    expect([language, ...heights]).toEqual([language, ...jobs.map(() => 88)]);
    expect(rows.filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)).toEqual([]);
  }
  await showLanguage("de");
  const failure = rowOf("row-4").getBySelector("[title]").last();
  await failure.click();
  await expect.poll(() => failure.element().scrollHeight).toBe(failure.element().clientHeight);
  await showLanguage("en");
});

it("a row shows the quality of the file, and why it is less than the plan allows", async () => {
  const shortfall = { reason: "site", heightLines: 720 };
  const file = { downloadUrl: "/api/conversions/one/file", expiresAt: "2099-01-01T00:00:00Z" };
  const job = makeJob({ status: "completed", format: "mp4", quality: "1080p", shortfall, ...file });
  await openPage("/", { jobs: [job] });
  await expect.element(rowOf("one")).toMatchTextContent(/MP4 · 720p · .*720p: the site gave no more/);
  await expect.element(rowOf("one")).not.toMatchTextContent("1080p");
});

it("a row says that its picture is interlaced, in the language of the page", async () => {
  await openPage("/", { jobs: [makeJob({ status: "completed", interlaced: true })] });
  await expect.element(rowOf("one")).toMatchTextContent("interlaced: too long to be changed");
  await page.getByLabelText("Language").selectOptions("es");
  await expect.element(rowOf("one")).toMatchTextContent("entrelazado: demasiado largo para corregirlo");
});

it("a row says that nothing was known of sponsored segments, in the language of the page", async () => {
  const job = makeJob({ status: "completed", choices: { sponsored: "mark" }, sponsorsUnknown: true });
  await openPage("/", { jobs: [job] });
  await expect.element(rowOf("one")).toMatchTextContent("sponsored segments unknown: left as they are");
  await page.getByLabelText("Language").selectOptions("es");
  await expect.element(rowOf("one")).toMatchTextContent("segmentos patrocinados desconocidos: sin cambios");
});

it("the row of a tape says how many songs it waits for, and which are missing, in the language of the page", async () => {
  const waiting = { batchId: "album", songs: 12, waitsFor: 3 };
  const file = { downloadUrl: "/api/conversions/made/file", expiresAt: "2099-01-01T00:00:00Z" };
  const jobs = [
    makeJob({ id: "waits", title: "Side A", tape: waiting }),
    makeJob({ id: "made", title: "Side B", status: "completed", songsMissing: "Drops · +1", ...file }),
  ];
  await openPage("/", { jobs });
  await expect.element(rowOf("waits")).toMatchTextContent("Waiting for 3 of 12 songs");
  await expect.element(rowOf("made")).toMatchTextContent("without Drops · +1");
  await expect.poll(violationsOfPage).toEqual([]);
  await page.getByLabelText("Language").selectOptions("de");
  await expect.element(rowOf("waits")).toMatchTextContent("Wartet auf 3 von 12 Titeln");
  await expect.element(rowOf("made")).toMatchTextContent("ohne Drops · +1");
});
