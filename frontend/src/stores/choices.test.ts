import { expect, it } from "vitest";
import { choicesFor, choicesForMany, createChoicesStore } from "./choices.ts";

const part = { startSeconds: 5, endSeconds: 9 };

it("keeps each choice until it is taken back", () => {
  const store = createChoicesStore();
  const { choose } = store.getState();
  choose({ part });
  choose({ tags: { title: "Snow" } });
  expect(store.getState().choices).toEqual({ part, tags: { title: "Snow" } });
  choose({ part: undefined });
  expect(store.getState().choices).toEqual({ tags: { title: "Snow" } });
  choose({ tags: {} });
  expect(store.getState().choices).toBeUndefined();
});

it("begins anew with another video, and closes", () => {
  const store = createChoicesStore();
  store.getState().setOpen(true);
  store.getState().choose({ part });
  store.getState().clear();
  expect(store.getState()).toMatchObject({ choices: undefined, isOpen: false });
});

it("takes the moment of the link as the start, once for a video", () => {
  const store = createChoicesStore();
  const { takeStart, choose, clear } = store.getState();
  takeStart(90, 180);
  expect(store.getState().choices).toEqual({ part: { startSeconds: 90, endSeconds: 180 } });
  choose({ part: undefined });
  takeStart(90, 180);
  expect(store.getState().choices).toBeUndefined();
  clear();
  takeStart(60, 180);
  expect(store.getState().choices).toEqual({ part: { startSeconds: 60, endSeconds: 180 } });
  clear();
  takeStart(179.5, 180);
  expect(store.getState().choices).toBeUndefined();
  clear();
  takeStart(undefined, 180);
  expect(store.getState().choices).toBeUndefined();
});

it("leaves subtitles out for formats that take none", () => {
  const subtitles = { language: "de" };
  const transcript = { subtitles: { language: "de", as: "vtt" } } as const;
  expect(choicesFor("transcript", transcript)).toEqual(transcript);
  expect(choicesFor("transcript", { ...transcript, chapterFiles: true })).toEqual(transcript);
  expect(choicesFor("mp4", transcript)).toEqual({ subtitles });
  expect(choicesFor("mp4", { subtitles: { as: "vtt" } })).toBeUndefined();
  expect(choicesFor("mp4", { subtitles })).toEqual({ subtitles });
  expect(choicesFor("mp3", { subtitles })).toBeUndefined();
  expect(choicesFor("mp3", { subtitles, part })).toEqual({ part });
  expect(choicesFor("mp3", undefined)).toBeUndefined();
});

it("leaves sponsored segments as they are where a format allows no other", () => {
  expect(choicesFor("mp3", { sponsored: "cut" })).toEqual({ sponsored: "cut" });
  expect(choicesFor("original", { sponsored: "mark" })).toEqual({ sponsored: "mark" });
  expect(choicesFor("original", { sponsored: "cut" })).toBeUndefined();
  expect(choicesFor("transcript", { sponsored: "mark" })).toBeUndefined();
});

it("keeps for several videos what they can have in common", () => {
  const choices = { part, tags: { title: "Snow" }, soundLanguage: "de", subtitles: { language: "en" } };
  expect(choicesForMany("mp4", { ...choices, sponsored: "cut" })).toEqual({
    soundLanguage: "de",
    subtitles: { language: "en" },
    sponsored: "cut",
  });
  expect(choicesForMany("mp3", { part })).toBeUndefined();
  const album = { title: "Weather", of: 12 };
  expect(choicesForMany("mp3", { part, album })).toEqual({ album });
});
