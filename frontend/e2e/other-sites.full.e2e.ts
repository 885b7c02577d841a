/** Links of other sites than YouTube, from the paste to the file. */
import type { Page } from "@playwright/test";
import { MAX_NAME_BYTES } from "../../common/download-name.ts";
import { Home, expect, goTo, recordPage, test as base } from "./home.ts";
import { LONG_TEXT, openSitesOfPages, type SitesOfPages } from "./sites-of-pages.ts";

let sites: SitesOfPages;
base.beforeAll(async () => {
  sites = await openSitesOfPages();
});
base.afterAll(() => sites[Symbol.asyncDispose]());
base.describe.configure({ mode: "serial" });

const test = base.extend({
  home: async ({ page }, provide) => {
    await recordPage(page);
    await goTo(page, sites.origin);
    await provide(new Home(page));
  },
});

const options = (page: Page) => page.getByRole("listbox", { name: "Videos of the list" }).getByRole("option");

/** Chooses a video of the list that the link leads to, and converts it. */
async function convertChosen(page: Page, title: string): Promise<void> {
  await options(page).filter({ hasText: title }).click();
  await page.getByRole("button", { name: "Convert", exact: true }).click();
}

async function download(home: Home) {
  const arriving = home.page.waitForEvent("download");
  await home.rows
    .first()
    .getByRole("link", { name: /^Download/ })
    .click();
  const arrived = await arriving;
  return { name: arrived.suggestedFilename(), path: await arrived.path() };
}

test("a post with several videos shows the picture of each, and the one that is chosen becomes the file", async ({
  page,
  home,
}) => {
  await home.field.fill("https://posts.example/p1");
  await expect(options(page)).toHaveText([/Waves/, /Gulls/, /Sand/]);
  await expect(options(page).locator("img[src^='data:image/jpeg']")).toHaveCount(3);
  await convertChosen(page, "Gulls");
  const file = await download(home);
  expect(file.name).toBe("Gulls.mp3");
  const shown = ["-show_entries", "format_tags=title,comment"];
  expect(await sites.probe(file.path, ...shown)).toMatchObject({
    format: { tags: { title: "Gulls", comment: "https://posts.example/p1#video=2" } },
  });
});

test("a set of songs is an album: a song of it has its number, the artist and the page of the song", async ({
  page,
  home,
}) => {
  await home.field.fill("https://tones.example/album/a1?utm_source=a-friend");
  await expect(options(page)).toHaveText([/Song 1/, /Song 2/, /Song 3/]);
  await convertChosen(page, "Song 2");
  const file = await download(home);
  expect(file.name).toBe("Song 2.mp3");
  expect(await sites.probe(file.path, "-show_entries", "format_tags")).toMatchObject({
    format: {
      tags: {
        title: "Song 2",
        album: "First Tones",
        artist: "The Tones",
        track: "2/3",
        comment: "https://tones.example/song/2",
      },
    },
  });
});

test("a vertical clip with a long text as its title stays vertical, under a name that file systems take", async ({
  home,
}) => {
  await home.convert("https://reels.example/r1", "mp4");
  const file = await download(home);
  const beginning = file.name.slice(0, "A walk by the sea".length);
  expect([beginning, LONG_TEXT.startsWith(beginning)]).toEqual(["A walk by the sea", true]);
  expect(Buffer.byteLength(file.name)).toBeLessThanOrEqual(MAX_NAME_BYTES);
  const shown = ["-select_streams", "v:0", "-show_entries", "stream=width,height"];
  expect(await sites.probe(file.path, ...shown)).toMatchObject({ streams: [{ width: 360, height: 640 }] });
});
