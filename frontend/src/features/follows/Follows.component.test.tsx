/** The page of what the account follows, and the way to it from an opened list. */
import { beforeEach, expect, it } from "vitest";
import { page } from "vitest/browser";
import { Follow } from "../../../../common/follows.ts";
import { broken, fakeApi, json, refusal, unanswered } from "../../testing/fake-api.ts";
import { field } from "../../testing/home.ts";
import { openPage } from "../../testing/open-page.tsx";
import { makeUser } from "../../testing/sample-answers.ts";
import { makeCanceledJobs } from "../../testing/sample-jobs.ts";
import { violationsInDark, violationsOfPage } from "../../testing/violations.ts";
import { showLanguage } from "../../texts/store.ts";
import { LANGUAGE_CODES } from "../../../../common/languages.ts";

const user = makeUser({ tier: "pro" });
const LINK = "https://www.youtube.com/@rain/videos";
const inHours = (hours: number): string => new Date(Date.now() + hours * 3_600_000 + 60_000).toISOString();
const video = (title: string) => ({ link: `https://video.example/${title}`, title });
const came = (title: string, fields: object = {}) => ({
  ...video(title),
  at: "2026-01-15T12:00:00.000Z",
  job: null,
  failure: null,
  ...fields,
});

function makeFollow(fields: Partial<Follow> = {}): Follow {
  return Follow.parse({
    id: "rain",
    link: LINK,
    title: "Rain of a year",
    format: "mp3",
    perDay: 5,
    quietHours: null,
    createdAt: "2026-01-01T12:00:00.000Z",
    state: "on",
    nextLookAt: inHours(2),
    lastLookAt: "2026-01-15T12:00:00.000Z",
    failure: null,
    waiting: [],
    came: [],
    ...fields,
  });
}

const serve = (...follows: Follow[]): void => fakeApi.answer("GET /api/follows", () => json({ follows }));
const row = page.getBySelector("[data-follow=rain]");
const button = (name: string) => page.getByRole("button", { name });

beforeEach(() => serve());

it("shows each state of a followed list with what helps, in all languages", async () => {
  const states = ["paused", "needs_pro", "quiet", "put_off", "failing", "blocked"] as const;
  const failure = { code: "unavailable", message: "This video is not available." } as const;
  const others = states.map((state) =>
    makeFollow({
      id: state,
      title: `List ${state}`,
      state,
      nextLookAt: state === "paused" ? null : inHours(2),
      failure: state === "failing" ? failure : null,
      quietHours: state === "quiet" ? { from: "22:00", to: "07:00", timeZone: "UTC" } : null,
    }),
  );
  serve(makeFollow(), ...others);
  await openPage("/following", { user });
  const of = (id: string) => page.getBySelector(`[data-follow=${id}]`);
  await expect.element(row).toMatchTextContent("Next look in 2 hours");
  await expect.element(of("paused")).toMatchTextContent("Paused");
  await expect.element(of("paused")).not.toMatchTextContent("Next look");
  await expect.element(of("needs_pro")).toMatchTextContent("Rests until you have Pro again");
  await expect.element(of("quiet")).toMatchTextContent("Quiet hours 22:00–07:00");
  await expect.element(of("put_off")).toMatchTextContent("Visitors go first.");
  await expect.element(of("failing")).toMatchTextContent("This video is not available");
  await expect.element(of("blocked")).toMatchTextContent("does not allow this list");
  await expect.poll(violationsOfPage).toEqual([]);
  await expect.poll(violationsInDark).toEqual([]);
  for (const language of LANGUAGE_CODES) {
    await showLanguage(language);
    expect([language, document.documentElement.scrollWidth > window.innerWidth]).toEqual([language, false]);
  }
  await showLanguage("en");
});

it("shows what came, what failed and why, and what waits for what", async () => {
  const failure = { code: "private", message: "This video is private." } as const;
  serve(
    makeFollow({
      waiting: [
        { ...video("Premiere"), problem: "upcoming" },
        { ...video("Sixth"), problem: undefined },
      ],
      came: [
        came("Made", { job: { id: "made", status: "completed", downloadUrl: "/api/conversions/made/file" } }),
        came("Secret", { failure }),
        came("Under way", { job: { id: "b", status: "processing" } }),
        came("Old", { job: { id: "c", status: "completed" } }),
        came("Removed"),
      ],
    }),
  );
  await openPage("/following", { user });
  await expect.element(page.getByRole("link", { name: "Download Made" })).toHaveAttribute("download");
  await expect.element(row).toMatchTextContent("This video is private");
  await expect.element(row).toMatchTextContent("Being converted");
  await page.getByText("2 earlier ones").click();
  await expect.element(row).toMatchTextContent("Its file has expired");
  await expect.element(row).toMatchTextContent("No longer in your list");
  await page.getByText("2 videos wait").click();
  await expect.element(row).toMatchTextContent("Premiere · has not begun yet");
  await expect.element(row).toMatchTextContent("Sixth · for its turn");
  await expect.poll(violationsOfPage).toEqual([]);
});

it.each([
  ["is shown at once", 0],
  ["is behind the first 50", 60],
])("leads from what came to its row in the queue, which %s", async (_, newer) => {
  serve(makeFollow({ came: [came("Rain", { job: { id: "clip-0", status: "canceled" } })] }));
  await openPage("/following", { user, jobs: makeCanceledJobs(newer + 1) });
  await page.getByRole("link", { name: "Rain", exact: true }).click();
  const inQueue = page.getBySelector("[data-job=clip-0]");
  await expect.element(inQueue).toHaveFocus();
  await expect.element(inQueue).toBeInViewport();
});

it("follows a list by its link, and says why it cannot", async () => {
  await openPage("/following", { user });
  await expect.element(page.getByText("You follow nothing yet.")).toBeVisible();
  fakeApi.answer("POST /api/follows", () => refusal(409, "conflict", "You follow this list already."));
  const link = page.getByLabelText("Link of a playlist or channel");
  await link.fill(LINK);
  await page.getByLabelText("Videos it has already").selectOptions("The first 5");
  await button("Follow").click();
  await expect.element(page.getByRole("alert")).toMatchTextContent("You follow this list already");
  await expect.element(link).toHaveValue(LINK);
  fakeApi.answer("POST /api/follows", () => json(makeFollow(), 201));
  await button("Follow").click();
  await expect.element(row).toMatchTextContent("Rain of a year");
  expect(fakeApi.bodies("POST /api/follows").at(-1)).toEqual({ url: LINK, format: "mp3", newest: 5 });
  await expect.element(link).toHaveValue("");
});

it("pauses, resumes, and stops after a question", async () => {
  serve(makeFollow());
  fakeApi.answer("POST /api/follows/rain", ({ body }) => {
    const { isPaused } = body as { isPaused: boolean };
    return json(makeFollow(isPaused ? { state: "paused", nextLookAt: null } : {}));
  });
  fakeApi.answer("DELETE /api/follows/rain", () => new Response(null, { status: 204 }));
  await openPage("/following", { user });
  await button("Pause Rain of a year").click();
  await expect.element(row).toMatchTextContent("Paused");
  await button("Resume Rain of a year").click();
  await expect.element(button("Pause Rain of a year")).toBeVisible();
  await button("Stop following Rain of a year").click();
  await button("Keep it").click();
  await button("Stop following Rain of a year").click();
  await page.getByText("Stop following", { exact: true }).click();
  await expect.element(page.getByText("You follow nothing yet.")).toBeVisible();
});

it("sets videos a day and quiet hours, in the time zone of the browser", async () => {
  serve(makeFollow());
  fakeApi.answer("POST /api/follows/rain", ({ body }) => json(makeFollow(body as Partial<Follow>)));
  await openPage("/following", { user });
  await button("Settings of Rain of a year").click();
  await page.getByLabelText("Videos a day, at most").selectOptions("12");
  await page.getByLabelText("Quiet hours").click();
  await page.getByLabelText("From").fill("07:00");
  await expect.element(row).toMatchTextContent("Choose two different times.");
  await expect.element(button("Save")).toBeDisabled();
  await page.getByLabelText("From").fill("23:00");
  await expect.poll(violationsOfPage).toEqual([]);
  await button("Save").click();
  await expect.element(row).toMatchTextContent("up to 12 videos a day · Quiet hours 23:00–07:00");
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
  expect(fakeApi.bodies("POST /api/follows/rain")).toEqual([
    { perDay: 12, quietHours: { from: "23:00", to: "07:00", timeZone } },
  ]);
});

it("shows a skeleton while it loads, and can be loaded again after a failure", async () => {
  fakeApi.answer("GET /api/follows", unanswered);
  await openPage("/following", { user });
  await expect.element(page.getByRole("status", { name: "Loading what you follow" })).toBeVisible();
});

it("loads again what could not be loaded", async () => {
  fakeApi.answer("GET /api/follows", broken);
  await openPage("/following", { user });
  await expect.element(page.getByRole("alert")).toMatchTextContent("What you follow could not be loaded.");
  serve(makeFollow());
  await button("Try again").click();
  await expect.element(row).toBeVisible();
});

it("offers Pro to a free account, and keeps what rests in sight", async () => {
  serve(makeFollow({ state: "needs_pro" }));
  await openPage("/following", { user: makeUser() });
  await expect.element(page.getByText("With Pro you follow up to 20 playlists and channels.")).toBeVisible();
  await expect.element(row).toMatchTextContent("Rests until you have Pro again");
  await expect.element(page.getByLabelText("Link of a playlist or channel")).not.toBeInTheDocument();
});

it.each([
  ["a user of Pro follows", user, "You follow this list."],
  ["a visitor is told of Pro", null, "With Pro, new videos come by themselves."],
])("in an opened list %s", async (_, who, text) => {
  const list = `https://www.youtube.com/playlist?list=PL${who?.id ?? "none"}`;
  const entries = [{ link: "https://www.youtube.com/watch?v=aaaaaaaaaaa", title: "Drops", durationSeconds: 60 }];
  fakeApi.answer("POST /api/preview", () => refusal(422, "playlist", "That is a list."));
  fakeApi.answer("POST /api/lists", () =>
    json({ link: list, title: "Rain", total: 1, isCut: false, offset: 0, entries, next: null }),
  );
  fakeApi.answer("POST /api/follows", () => json(makeFollow(), 201));
  await openPage("/", { user: who });
  await field.fill(list);
  if (who) await button("Follow").click();
  await expect.element(page.getByText(text)).toBeVisible();
  expect(fakeApi.bodies("POST /api/follows")).toEqual(who ? [{ url: list, format: "mp3" }] : []);
  await expect.poll(violationsOfPage).toEqual([]);
});
