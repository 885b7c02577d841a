/** The line on the home page that says that a video site fails for most visitors. */
import { expect, it } from "vitest";
import { page } from "vitest/browser";
import { LANGUAGE_CODES } from "../../../../common/languages.ts";
import { fakeApi, json } from "../../testing/fake-api.ts";
import { openPage } from "../../testing/open-page.tsx";
import { showLanguage } from "../../texts/store.ts";

const REFUSING = { failing: [{ site: "youtube", reason: "refusing" }] };
const CHANGED = { failing: [{ site: "youtube", reason: "changed" }] };
const NONE = { failing: [] };
const REFUSING_TEXT = "YouTube is refusing us at the moment; jobs wait and start by themselves.";

const line = page.getBySelector("[data-failing]");

it("appears and disappears live", async () => {
  const { push } = await openPage("/");
  await expect.element(line).not.toBeInTheDocument();
  push("sites", REFUSING);
  await expect.element(line).toHaveTextContent(REFUSING_TEXT);
  await expect.element(page.getBySelector("[data-announcer]")).toHaveTextContent(REFUSING_TEXT);
  push("sites", CHANGED);
  await expect
    .element(line)
    .toHaveTextContent("YouTube has changed, and most links fail until we have caught up. We know of it.");
  push("sites", { failing: [{ site: "youtube", reason: "of-a-newer-server" }] });
  await expect.element(line).not.toBeInTheDocument();
  push("sites", REFUSING);
  await expect.element(line).toHaveTextContent(REFUSING_TEXT);
  push("sites", NONE);
  await expect.element(line).not.toBeInTheDocument();
});

it("appears with a poll", async () => {
  fakeApi.answer("GET /api/site-status", () => json(REFUSING));
  await openPage("/");
  await expect.element(line).toHaveTextContent(REFUSING_TEXT);
});

it("needs no more than the reserved space in any language", async () => {
  await page.viewport(320, 640);
  const { push } = await openPage("/");
  const link = page.getBySelector("input[name=link]");
  const topOfField = () => link.element().getBoundingClientRect().top + window.scrollY;
  for (const language of LANGUAGE_CODES) {
    push("sites", NONE);
    await showLanguage(language);
    await expect.element(line).not.toBeInTheDocument();
    await document.fonts.ready;
    const topBefore = topOfField();
    for (const status of [REFUSING, CHANGED]) {
      push("sites", status);
      await expect.element(page.getBySelector(`[data-failing=${status.failing[0]?.reason}]`)).toBeInTheDocument();
      expect(topOfField(), `${language} ${status.failing[0]?.reason}`).toBe(topBefore);
    }
  }
});
