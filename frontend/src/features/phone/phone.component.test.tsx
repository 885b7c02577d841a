/** The sheet with a link to a file, for another device. */
import jsQR from "jsqr";
import { beforeEach, expect, it, onTestFinished, vi } from "vitest";
import { page } from "vitest/browser";
import { rowNote } from "../../client/row-note.ts";
import { press } from "../../testing/actions.ts";
import { broken, fakeApi, json } from "../../testing/fake-api.ts";
import { filledButtons } from "../../testing/filled-buttons.ts";
import { openPage } from "../../testing/open-page.tsx";
import { makeJob } from "../../testing/sample-jobs.ts";
import { violationsOfPage } from "../../testing/violations.ts";
import { showLanguage } from "../../texts/store.ts";
import { LANGUAGES } from "../../texts/languages.ts";
import type { Language } from "../../texts/languages.ts";
import { RowAdditions } from "../queue/RowAdditions.tsx";

const PATH = "/api/conversions/one/link";
const finished = {
  status: "completed",
  downloadUrl: "/api/conversions/one/file",
  expiresAt: new Date(Date.now() + 3_600_000).toISOString(),
} as const;
const job = makeJob(finished);

type Link = { lasts: string; createdAt: string; endsAt: string; opened: number };
/** What the server has; tests change it as other devices do. */
let stored: Link | null;
let made: number;

const urlOf = (count: number) => `/get?key=${String(count).padStart(22, "A")}`;
const endsIn = (ms: number) => new Date(Date.now() + ms).toISOString();
const sheet = page.getByRole("dialog", { name: "To my phone" });
const address = sheet.getByLabelText("Link to the file");
const shown = (count: number) => window.location.origin + urlOf(count);

beforeEach(async () => {
  stored = null;
  made = 0;
  // In the app, app/Later.tsx does this.
  rowNote.setState({ Note: RowAdditions });
  fakeApi.answer(`GET ${PATH}`, () => json({ link: stored }));
  fakeApi.answer(`POST ${PATH}`, ({ body }) => {
    const { lasts } = body as Link;
    stored = { lasts, createdAt: endsIn(0), endsAt: endsIn(lasts === "once" ? 3_600_000 : 600_000), opened: 0 };
    return json({ ...stored, url: urlOf(++made) }, 201);
  });
  fakeApi.answer(`DELETE ${PATH}`, () => {
    stored = null;
    return new Response(null, { status: 204 });
  });
  await page.viewport(390, 844);
});

async function openSheet(shownJob = job): Promise<void> {
  await openPage("/", { jobs: [shownJob] });
  // By keyboard: what has just come takes no tap.
  await press(page.getByRole("button", { name: "To my phone: A clip" }), "{Enter}");
}

/** @returns what a camera reads on the sheet */
async function scanned(): Promise<string | undefined> {
  const code = await sheet.getByRole("img", { name: "QR code of the link" }).findElement();
  const picture = new Image();
  const source = new XMLSerializer().serializeToString(code).replace("<svg", '<svg width="300" height="300"');
  picture.src = `data:image/svg+xml,${encodeURIComponent(source)}`;
  await picture.decode();
  const canvas = new OffscreenCanvas(300, 300).getContext("2d");
  if (!canvas) return undefined;
  canvas.fillStyle = "#fff";
  canvas.fillRect(0, 0, 300, 300);
  canvas.drawImage(picture, 0, 0);
  return jsQR(canvas.getImageData(0, 0, 300, 300).data, 300, 300)?.data;
}

it("shows a new link that works once, as a code and as text, and says when it was opened", async () => {
  await openSheet();
  await expect.element(address).toHaveValue(shown(1));
  expect(await scanned()).toBe(shown(1));
  await expect.element(sheet).toMatchTextContent("Works once.");
  // The tests run at localhost.
  await expect.element(sheet).toMatchTextContent("Other devices cannot open this address.");
  expect(filledButtons()).toEqual(["Download A clip"]);
  await expect.poll(violationsOfPage).toEqual([]);
  if (stored) stored = { ...stored, opened: 1 };
  await expect.element(sheet).toMatchTextContent(/This link is used up\.\s*Opened 1 time\./);
  await expect.element(address).not.toBeVisible();
  await sheet.getByRole("button", { name: "Make a new link" }).click();
  await expect.element(address).toHaveValue(shown(2));
  expect(made).toBe(2);
});

it("makes one for ten minutes, which says what is left, copies it and revokes it", async () => {
  await openSheet();
  await sheet.getByText("10 minutes").click();
  await expect.element(sheet).toMatchTextContent(/(?:10|9) min.* left/);
  expect(fakeApi.bodies(`POST ${PATH}`)).toEqual([{ lasts: "once" }, { lasts: "ten_minutes" }]);
  const write = vi.spyOn(navigator.clipboard, "writeText").mockResolvedValueOnce();
  await sheet.getByRole("button", { name: "Copy" }).click();
  await expect.element(sheet.getByRole("button", { name: "Copied" })).toBeVisible();
  expect(write).toHaveBeenCalledWith(shown(2));
  write.mockRestore();
  await sheet.getByRole("button", { name: "Revoke" }).click();
  await expect.element(sheet).toMatchTextContent("This link was revoked.");
  expect(stored).toBeNull();
  await expect.element(address).not.toBeVisible();
});

it("keeps the link of a sheet that was closed, and shows none of another browser", async () => {
  await openSheet();
  await expect.element(address).toHaveValue(shown(1));
  await sheet.getByRole("button", { name: "Close" }).click();
  await expect.element(sheet).not.toBeInTheDocument();
  await press(page.getByRole("button", { name: "To my phone: A clip" }), "{Enter}");
  await expect.element(address).toHaveValue(shown(1));
  expect(made).toBe(1);
  await sheet.getByRole("button", { name: "Revoke" }).click();
  await expect.element(sheet).toMatchTextContent("This link was revoked.");
  await sheet.getByRole("button", { name: "Close" }).click();
  stored = { lasts: "ten_minutes", createdAt: endsIn(0), endsAt: endsIn(600_000), opened: 2 };
  await press(page.getByRole("button", { name: "To my phone: A clip" }), "{Enter}");
  await expect.element(sheet).toMatchTextContent("There is a link already.");
  await expect.element(sheet).toMatchTextContent("Opened 2 times.");
});

it("asks whether it was opened only while somebody looks at the page", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  onTestFinished(() => void vi.useRealTimers());
  const asked = () => fakeApi.bodies(`GET ${PATH}`).length;
  await openSheet();
  // Before the link was made, and after.
  await expect.poll(asked).toBe(2);
  const visibility = vi.spyOn(document, "visibilityState", "get").mockReturnValue("hidden");
  vi.advanceTimersByTime(60_000);
  await expect.element(address).toHaveValue(shown(1));
  expect(asked()).toBe(2);
  visibility.mockRestore();
  const askedLater = () => {
    vi.advanceTimersByTime(2_000);
    return asked();
  };
  await expect.poll(askedLater).toBeGreaterThan(2);
});

it("says that a link has ended", async () => {
  fakeApi.answer(`POST ${PATH}`, () => {
    stored = { lasts: "ten_minutes", createdAt: endsIn(-600_000), endsAt: endsIn(-1), opened: 0 };
    return json({ ...stored, url: urlOf(++made) }, 201);
  });
  await openSheet();
  await expect.element(sheet).toMatchTextContent("This link has ended.");
  await expect.element(sheet.getByRole("button", { name: "Revoke" })).not.toBeInTheDocument();
});

it("says that no link could be made, and tries again", async () => {
  fakeApi.answer(`GET ${PATH}`, broken);
  await openSheet();
  await expect.element(sheet.getByRole("alert")).toMatchTextContent("That did not work.");
  fakeApi.answer(`GET ${PATH}`, () => json({ link: stored }));
  await sheet.getByRole("button", { name: "Try again" }).click();
  await expect.element(address).toHaveValue(shown(1));
});

it.each([320, 390, 1280])(
  "fits into the window in all languages, %i wide, and the row does not grow",
  async (width) => {
    await page.viewport(width, 800);
    await openSheet();
    await expect.element(address).toBeVisible();
    const row = document.querySelector("[data-job=one]");
    for (const language of Object.keys(LANGUAGES) as Language[]) {
      await showLanguage(language);
      const dialog = document.querySelector("dialog[open]");
      expect([language, (dialog?.scrollWidth ?? 0) - (dialog?.clientWidth ?? 0)]).toEqual([language, 0]);
      expect(row?.scrollWidth).toBe(row?.clientWidth);
    }
  },
);

it.each([
  ["a song", {}, 1],
  ["FLAC, which some browsers share", { format: "flac", quality: "lossless" }, 1],
  ["an archive of chapters", { choices: { chapterFiles: true } }, 0],
] as const)("has the share menu where the browser shares such files: %s", async (_kind, fields, count) => {
  const canShare: Navigator["canShare"] = ({ files = [] } = {}) => files.every(({ type }) => type.startsWith("audio/"));
  Object.assign(navigator, { canShare });
  onTestFinished(() => void Reflect.deleteProperty(navigator, "canShare"));
  await openSheet(makeJob({ ...finished, ...fields }));
  await expect.element(address).toBeVisible();
  expect(sheet.getByRole("button", { name: "Share…" }).elements()).toHaveLength(count);
});

it("hands the file to the share menu where there is one", async () => {
  const share = vi.fn<Navigator["share"]>().mockResolvedValue();
  Object.assign(navigator, { canShare: () => true, share });
  fakeApi.answer(
    "GET /api/conversions/one/file",
    () => new Response("song", { headers: { "Content-Type": "audio/mpeg" } }),
  );
  await openSheet();
  await sheet.getByRole("button", { name: "Share…" }).click();
  await expect.poll(() => share.mock.lastCall?.[0]?.files?.length).toBe(1);
  for (const name of ["canShare", "share"]) Reflect.deleteProperty(navigator, name);
});
