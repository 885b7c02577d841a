import { beforeEach, expect, it } from "vitest";
import { page, userEvent } from "vitest/browser";
import { type Preview, PreviewRequest } from "../../../../common/api.ts";
import type { PreviewDetails } from "../../../../common/preview-details.ts";
import { press, takeTaps } from "../../testing/actions.ts";
import { fakeApi, json } from "../../testing/fake-api.ts";
import { convert, field, stage } from "../../testing/home.ts";
import { openPage } from "../../testing/open-page.tsx";
import { makePreview, makeUser } from "../../testing/sample-answers.ts";
import { makeJob } from "../../testing/sample-jobs.ts";
import { violationsIn, violationsInDark, violationsOfPage } from "../../testing/violations.ts";

const LINK = "https://video.example/watch/rain";
const opener = page.getByRole("button", { name: "Choices" });
const panel = page.getByRole("group", { name: "Choices for this video" });
const tags = panel.getByRole("group", { name: "Tags in the file" });
const part = panel.getByRole("group", { name: "A part of it" });
const length = part.getBySelector("[data-chosen-length]");
const sponsored = panel.getByRole("combobox", { name: "Sponsored segments" });
const perChapter = panel.getByRole("checkbox", { name: /^One file per chapter/ });
const CHAPTERS = [
  { title: "Under the eaves", startSeconds: 0 },
  { title: "On the tin roof", startSeconds: 6.5 },
  { title: "In the gutter", startSeconds: 15 },
  { title: "The sun again", startSeconds: 22 },
];
const posts = () => fakeApi.bodies("POST /api/conversions");

/** Lets the site have a video behind the link. */
function showVideo(details: Partial<PreviewDetails> = {}, fields: Partial<Preview> = {}): void {
  fakeApi.answer("POST /api/preview", () => json(makePreview({ details, ...fields })));
}

async function openChoices(link = LINK): Promise<void> {
  await field.fill(link);
  takeTaps(document.querySelector("main"));
  await opener.click();
  await expect.element(panel).toBeVisible();
  takeTaps(await panel.findElement());
}

const tab = (name: string) => panel.getByRole("tab", { name });
const openTab = (name: string) => tab(name).click();

beforeEach(() => {
  showVideo();
  fakeApi.answer("POST /api/conversions", () => json(makeJob()));
});

it("a link and Enter need no choice", async () => {
  await openPage("/");
  await expect.element(opener).not.toBeInTheDocument();
  await field.fill(LINK);
  await expect.element(opener).toHaveAttribute("aria-expanded", "false");
  await press(field, "{Enter}");
  await expect.poll(posts).toEqual([{ youtubeUrl: LINK, format: "mp3" }]);
});

it("the link after a transcript starts as the visitor's usual format", async () => {
  await openPage("/");
  await openChoices();
  await openTab("Format");
  await panel.getByText("Transcript", { exact: true }).click();
  await press(field, "{Enter}");
  await expect.poll(posts).toEqual([{ youtubeUrl: LINK, format: "transcript" }]);
  await expect.element(page.getByRole("radio", { name: "MP3" })).toBeChecked();
  await field.fill("https://video.example/watch/wind");
  await expect.element(stage).toHaveAttribute("data-preview", "ready");
  await press(field, "{Enter}");
  await expect.poll(posts).toMatchObject([{}, { format: "mp3" }]);
});

it("a clip is shown as the part that it is; its whole video can be taken", async () => {
  const clip = { part: { startSeconds: 60, endSeconds: 75 }, videoSeconds: 3_600 };
  showVideo({ clip }, { durationSeconds: 15 });
  await openPage("/");
  await openChoices();
  await expect.element(part.getByLabelText("Start", { exact: true })).toHaveValue("1:00");
  await expect.element(part.getByLabelText("End", { exact: true })).toHaveValue("1:15");
  await expect.element(length).toHaveTextContent("0:15 chosen");
  await press(field, "{Enter}");
  await expect.poll(posts).toEqual([{ youtubeUrl: LINK, format: "mp3" }]);
  await openChoices();
  await part.getByRole("button", { name: "Take the whole video" }).click();
  await expect.element(length).toHaveTextContent("");
  await press(field, "{Enter}");
  const choices = { part: { startSeconds: 0, endSeconds: 3_600 } };
  await expect.poll(() => posts().at(-1)).toEqual({ youtubeUrl: LINK, format: "mp3", choices });
});

it("the tabs say which times, tags and formats cannot be taken", async () => {
  await openPage("/");
  await openChoices();
  await expect.element(part).toBeVisible();
  await expect.element(sponsored).not.toBeInTheDocument();
  const start = part.getByLabelText("Start", { exact: true });
  for (const [text, reason] of [
    ["soon", "Write a time such as 1:02:03."],
    ["1:00", "The video ends at 0:30."],
    ["0:30", "The end must be at least one second after the start."],
  ] as const) {
    await start.fill(text);
    await press(start, "{Enter}");
    await expect.element(part.getByRole("alert")).toHaveTextContent(reason);
    await expect.element(start).toHaveValue(text);
    await expect.element(start).toHaveAttribute("aria-invalid", "true");
  }
  await start.fill("0:20");
  await press(start, "{Enter}");
  await expect.element(part.getByRole("alert")).toHaveTextContent("");
  await expect.element(length).toHaveTextContent("0:10 chosen");
  await part.getByRole("button", { name: "Take the whole video" }).click();
  await expect.element(length).toHaveTextContent("");

  // A title cannot be taken away; the site's tags come back with one press.
  await openTab("Tags");
  const title = tags.getByLabelText("Title");
  await title.fill("");
  await expect.element(title).toHaveValue("");
  await userEvent.keyboard("{Tab}");
  await expect.element(title).toHaveValue("Rain on a tin roof");
  await tags.getByLabelText("Album").fill("Weather");
  await tags.getByRole("button", { name: "Take the site's tags" }).click();
  await expect.element(tags.getByLabelText("Album")).toHaveValue("");
  await expect.element(tags.getByRole("button")).not.toBeInTheDocument();

  // Those of Pro are named to free visitors.
  await openTab("Format");
  await expect.element(panel.getBySelector("[data-format=original]")).toMatchTextContent(/about [\d.]+ MB/);
  await panel.getByRole("radio", { name: /^Original sound/ }).click();
  await expect.element(stage.getBySelector("[data-estimate]")).toMatchTextContent(/^original sound\s*about [\d.]+ MB$/);
  for (const name of [/^FLAC/, /^WAV/]) await expect.element(panel.getByRole("radio", { name })).toBeDisabled();
  await expect.element(panel.getBySelector("[data-format=flac]")).toMatchTextContent("with Pro");
  await expect.element(panel.getByRole("link", { name: "Upgrade to Pro" })).toHaveAttribute("href", "/plans");
});

it("a time that is not taken holds Convert back, and goes when the part is chosen otherwise", async () => {
  await openPage("/");
  await openChoices();
  const start = part.getByLabelText("Start", { exact: true });
  const end = part.getByLabelText("End", { exact: true });
  await end.fill("0:10");
  await press(end, "{Enter}");
  await start.fill("0:15");
  await convert.click();
  await expect.element(start).toHaveFocus();
  expect(posts()).toEqual([]);

  // It is right beside the end that is typed next.
  await end.fill("0:25");
  await press(end, "{Enter}");
  await expect.element(part.getByRole("alert")).toHaveTextContent("");
  await expect.element(length).toHaveTextContent("0:10 chosen");

  await start.fill("soon");
  await press(start, "{Enter}");
  await part.getByRole("button", { name: "Take the whole video" }).click();
  await expect.element(start).toHaveValue("0:00");
  await expect.element(start).toHaveAttribute("aria-invalid", "false");
  await end.fill("0:20");
  await convert.click();
  const choices = { part: { startSeconds: 0, endSeconds: 20 } };
  await expect.poll(posts).toEqual([{ youtubeUrl: LINK, format: "mp3", choices }]);
});

it("a transcript of a video without subtitles is refused before it begins", async () => {
  await openPage("/");
  await openChoices();
  const error = {
    code: "no_subtitles",
    message: "This video has no subtitles, so there is no transcript of it.",
  } as const;
  const { moreEstimates } = makePreview();
  const transcript = { quality: "text", sizeBytes: null, fits: false, note: error.message, error } as const;
  showVideo({}, { moreEstimates: { ...moreEstimates, transcript } });
  await openChoices(`${LINK}?other`);
  await openTab("Format");
  await panel.getByRole("radio", { name: /^Transcript/ }).click();
  await expect.element(stage).toMatchTextContent(error.message);
  await expect.element(convert).toHaveAttribute("aria-disabled", "true");
  await page.getByRole("button", { name: "As MP3" }).click();
  await expect.element(convert).not.toHaveAttribute("aria-disabled", "true");
});

it("subtitles with a name are named by language and name, and withheld ones are not said to be missing", async () => {
  showVideo({ subtitles: [{ language: "en-ehkg1hFWq8A", isAutomatic: false, trackName: "Default" }] });
  await openPage("/");
  await openChoices();
  await openTab("Subtitles");
  await expect.element(panel.getByRole("option", { name: "English – Default" })).toBeInTheDocument();
  showVideo({ subtitles: [], withholdsSubtitles: true });
  await openChoices(`${LINK}?withheld`);
  await expect.element(panel).toMatchTextContent("did not give us the subtitles");
  await expect.element(panel).not.toMatchTextContent("has no subtitles");
});

it("withheld subtitles are asked of others when the visitor opens their tab or wants a transcript", async () => {
  const subtitles = [{ language: "en", isAutomatic: false }];
  const wishes = () => fakeApi.bodies("POST /api/preview").map((body) => PreviewRequest.parse(body).choices?.subtitles);
  fakeApi.answer("POST /api/preview", ({ body }) =>
    json(
      makePreview({
        details: PreviewRequest.parse(body).choices?.subtitles
          ? { subtitles }
          : { subtitles: [], withholdsSubtitles: true },
      }),
    ),
  );
  await openPage("/");
  await openChoices();
  expect(wishes()).toEqual([undefined]);
  await openTab("Subtitles");
  await expect.element(panel.getByRole("option", { name: "English" })).toBeInTheDocument();
  await openChoices(`${LINK}?transcript`);
  await openTab("Format");
  expect(wishes()).toEqual([undefined, {}, undefined]);
  await panel.getByRole("radio", { name: /^Transcript/ }).click();
  await expect.poll(wishes).toEqual([undefined, {}, undefined, {}]);
});

it("another link begins anew", async () => {
  await openPage("/");
  await openChoices();
  await openTab("Tags");
  await tags.getByLabelText("Album").fill("Weather");
  showVideo({}, { title: "The tide comes in" });
  await field.fill(`${LINK}?tide`);
  await expect.element(stage).toMatchTextContent("The tide comes in");
  await expect.element(panel).not.toBeInTheDocument();
  await opener.click();
  await openTab("Tags");
  await expect.element(tags.getByLabelText("Album")).toHaveValue("");
});

it("sponsored segments can only be marked in the original sound, which says why", async () => {
  showVideo({ sponsored: { count: 2, seconds: 3.5 } });
  await openPage("/");
  await openChoices();
  await expect.element(sponsored).toHaveAccessibleDescription("2 segments, 0:04, marked by viewers in SponsorBlock.");
  await sponsored.selectOptions("cut");
  await openTab("Format");
  await panel.getByRole("radio", { name: /^Original sound/ }).click();
  await openTab("Cut");
  await expect.element(sponsored).toHaveValue("");
  await expect.element(sponsored.getByRole("option", { name: "Cut them out" })).toBeDisabled();
  await expect.element(sponsored).toHaveAccessibleDescription(/nothing can be cut out of it; Mark adds chapters\.$/);
  await sponsored.selectOptions("mark");
  await openTab("Format");
  await panel.getByRole("radio", { name: /^Transcript/ }).click();
  await openTab("Cut");
  await expect.element(sponsored).not.toBeInTheDocument();
});

it("a chapter is taken as the part; one file per chapter is named to free visitors and cannot be chosen", async () => {
  showVideo({ chapters: CHAPTERS });
  await openPage("/");
  await openChoices();
  await expect.element(part.getBySelector("[data-chapter]")).toHaveLength(3);
  const chapter = part.getByLabelText("Chapter");
  await chapter.selectOptions("0:07 On the tin roof");
  await expect.element(part.getByLabelText("Start", { exact: true })).toHaveValue("0:06.5");
  await expect.element(part.getByLabelText("End", { exact: true })).toHaveValue("0:15");
  await press(part.getByLabelText("Start of the part"), "{ArrowRight}");
  await expect.element(chapter).toHaveValue("");
  await expect.element(perChapter).toBeDisabled();
  await expect.element(panel.getBySelector("[data-chapter-files]")).toMatchTextContent("with Pro");
  await expect.poll(() => violationsIn(panel)).toEqual([]);
  showVideo();
  await openChoices(`${LINK}?none`);
  await expect.element(part).toBeVisible();
  await expect.element(perChapter).not.toBeInTheDocument();
});

it("a link with a moment begins there once the choices are open, and Enter alone takes the whole", async () => {
  const link = `${LINK}#t=12`;
  await openPage("/");
  await openChoices(link);
  await expect.element(length).toHaveTextContent("0:18 chosen");
  await field.fill("");
  await field.fill(link);
  await expect.element(opener).toBeVisible();
  await press(field, "{Enter}");
  await expect.poll(posts).toEqual([{ youtubeUrl: link, format: "mp3" }]);
});

it("subtitles are for an MP4, and the preview says where there are none", async () => {
  const subtitles = panel.getByRole("group", { name: "Subtitles" });
  await openPage("/");
  await openChoices();
  await openTab("Subtitles");
  await expect.element(subtitles).toMatchTextContent("This video has no subtitles.");
  const offers = ["en", "de"].map((language) => ({ language, isAutomatic: false }));
  showVideo({ subtitles: offers });
  await openChoices(`${LINK}?subtitles`);
  await openTab("Subtitles");
  const language = subtitles.getByRole("combobox");
  await expect.element(language).toBeDisabled();
  await expect
    .element(language)
    .toHaveAccessibleDescription(
      "Choose MP4 to add them, or Transcript for a file of their own: other formats take none.",
    );
  await press(page.getByRole("radio", { name: "MP4", exact: true }), " ");
  await press(language, "{End}");
  await expect.element(language).toHaveDisplayValue("German");
  await expect.poll(() => violationsIn(panel)).toEqual([]);
  await press(field, "{Enter}");
  await expect.poll(posts).toMatchObject([{ format: "mp4", choices: { subtitles: { language: "de" } } }]);
});

it("the language of the sound is the original one, or a chosen one", async () => {
  showVideo({ soundLanguages: ["fr", "en", "de"] });
  await openPage("/");
  await openChoices();
  await openTab("Format");
  const language = panel.getByRole("combobox", { name: "Language of the sound" });
  const names = () =>
    language
      .getByRole("option")
      .elements()
      .map(({ textContent }) => textContent);
  await expect.poll(names).toEqual(["French (original)", "English", "German"]);
  await expect.poll(() => violationsIn(panel)).toEqual([]);
  await press(language, "{End}");
  await press(field, "{Enter}");
  await expect.poll(posts).toMatchObject([{ choices: { soundLanguage: "de" } }]);
});

it("a tab in which nothing can be chosen is grey, is reached by keyboard, and says why", async () => {
  await openPage("/");
  await openChoices();
  await expect.element(tab("Cut")).toHaveAttribute("aria-selected", "true");
  const grey = panel.getBySelector("[data-unavailable]");
  await expect.element(grey).toHaveTextContent("Subtitles");
  await expect.element(grey).toHaveAccessibleDescription("This video has no subtitles.");
  await expect.element(tab("Tags")).not.toHaveAccessibleDescription();
  await press(tab("Cut"), "{ArrowRight}");
  // The focus moves in the next frame.
  await expect.element(tab("Format")).toHaveFocus();
  await press(tab("Format"), "{ArrowRight}");
  await expect.element(grey).toHaveFocus();
  await expect.element(panel.getByRole("tabpanel")).toMatchTextContent("This video has no subtitles.");
  await expect.poll(() => violationsIn(panel)).toEqual([]);
  await expect.poll(violationsInDark).toEqual([]);
});

it("a video of unknown length has no part to take, and begins with its formats", async () => {
  showVideo({}, { durationSeconds: null });
  await openPage("/");
  await openChoices();
  await expect.element(tab("Format")).toHaveAttribute("aria-selected", "true");
  await openTab("Cut");
  const reason = "The length of this video is not known, so no part of it can be taken.";
  await expect.element(tab("Cut")).toHaveAccessibleDescription(reason);
  await expect.element(panel.getByRole("tabpanel")).toMatchTextContent(reason);
});

it("the tabs of several videos say what only a single one has", async () => {
  await openPage("/", { user: makeUser({ tier: "pro" }) });
  await page.getByText("Batch", { exact: true }).click();
  await opener.click();
  const tabs = page.getByRole("tab");
  await expect.element(tabs.nth(1)).toHaveAttribute("aria-selected", "true");
  await expect.element(tabs.nth(3)).toHaveAccessibleDescription(/^Each video keeps the tags of its site\./);
  await page.getByRole("radio", { name: /^Transcript/ }).click();
  await expect.element(tabs.nth(0)).toHaveAccessibleDescription(/^A part can be taken of one video at a time/);
  await tabs.nth(3).click();
  await expect.element(page.getByRole("tabpanel")).toMatchTextContent("Each video keeps the tags of its site.");
});

it("the tabs go from right to left where the language does", async () => {
  await openPage("/");
  await field.fill(LINK);
  await expect.element(opener).toBeVisible();
  await page.getBySelector("footer select").selectOptions("العربية");
  await page.getBySelector("#converter form [aria-expanded]:not([aria-haspopup])").click();
  const tabs = page.getByRole("tab");
  await expect.element(tabs.nth(0)).toHaveAttribute("aria-selected", "true");
  await press(tabs.nth(0), "{ArrowLeft}");
  await expect.element(tabs.nth(1)).toHaveAttribute("aria-selected", "true");
  await expect.poll(violationsOfPage).toEqual([]);
});
