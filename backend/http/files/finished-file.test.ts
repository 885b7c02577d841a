import { expect, it } from "vitest";
import { MAX_NAME_BYTES } from "../../../common/download-name.ts";
import { fileNameOf } from "./finished-file.ts";

const RAIN = { title: "Rain on a tin roof", format: "mp3" } as const;

it.each([
  [62, 185, "Rain on a tin roof (1.02-3.05).mp3"],
  [0, 5, "Rain on a tin roof (0.00-0.05).mp3"],
  [3_599.6, 7_325.25, "Rain on a tin roof (1.00.00-2.02.05).mp3"],
])("names the part from %d to %d s", (startSeconds, endSeconds, name) => {
  expect(fileNameOf({ ...RAIN, choices: { part: { startSeconds, endSeconds } } })).toBe(name);
});

it("names the part as far as the video goes", () => {
  const job = { ...RAIN, choices: { part: { startSeconds: 60, endSeconds: 500 } }, durationSeconds: 65.02 };
  expect(fileNameOf(job)).toBe("Rain on a tin roof (1.00-2.05).mp3");
  const cut = { ...job, choices: { ...job.choices, sponsored: "cut" } } as const;
  expect(fileNameOf(cut)).toBe("Rain on a tin roof (1.00-8.20).mp3");
});

it("names the whole video by its title alone", () => {
  expect(fileNameOf({ ...RAIN, durationSeconds: 30 })).toBe("Rain on a tin roof.mp3");
  expect(fileNameOf({ ...RAIN, choices: { tags: { artist: "Rain" } } })).toBe("Rain on a tin roof.mp3");
});

it("names a video by the title that the visitor has given it", () => {
  expect(fileNameOf({ ...RAIN, choices: { tags: { title: "Snow / on glass" } } })).toBe("Snow _ on glass.mp3");
});

it("names the part of a video whose title the visitor has changed", () => {
  const nameOf = (startSeconds: number) =>
    fileNameOf({
      ...RAIN,
      choices: { tags: { title: "Snow" }, part: { startSeconds, endSeconds: startSeconds + 5 } },
    });
  expect([nameOf(0), nameOf(5)]).toEqual(["Snow (0.00-0.05).mp3", "Snow (0.05-0.10).mp3"]);
});

it("names a transcript with its language, once that is known", () => {
  const job = { title: "Rain", format: "transcript", choices: { subtitles: { as: "txt" } } } as const;
  expect(fileNameOf(job)).toBe("Rain.txt");
  expect(fileNameOf({ ...job, subtitleLanguage: "pt-BR" })).toBe("Rain (pt-BR).txt");
  expect(fileNameOf({ ...job, subtitleLanguage: "pt-BR", choices: {} })).toBe("Rain (pt-BR).srt");
});

it("cuts a long title before the part", () => {
  const name = fileNameOf({ ...RAIN, title: "x".repeat(400), choices: { part: { startSeconds: 5, endSeconds: 9 } } });
  expect(name).toMatch(/^x+ \(0\.05-0\.09\)\.mp3$/);
  expect(Buffer.byteLength(name)).toBe(MAX_NAME_BYTES);
});
