/** Cards as the real ffmpeg draws them. */
import { chmod, mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { ffmpeg, lavfi, probedLines } from "../../dev/testing/ffmpeg.ts";
import { ofFile } from "../../dev/testing/of-file.ts";
import { testFolder } from "../../dev/testing/test-folder.ts";
import { openTestPipeline } from "../../dev/testing/test-pipeline.ts";
import type { Pipeline } from "../pipeline.ts";
import { drawCard } from "./j-card.ts";

const { pipeline } = await ofFile(openTestPipeline());

interface Drawn {
  readonly coverPath: string | undefined;
  readonly thumbnailPath: string | undefined;
  readonly lines: readonly string[];
}

async function draw(titles: readonly string[], tools: Partial<Pipeline["tools"]> = {}, color?: string): Promise<Drawn> {
  const folder = join(await testFolder(), "job");
  await mkdir(folder);
  const cover = color === undefined ? undefined : join(folder, "cover.jpg");
  if (cover !== undefined) await ffmpeg(...lavfi(`color=${color}:size=640x360`), "-frames:v", "1", cover);
  const lines: string[] = [];
  const work = {
    pipeline: { ...pipeline, tools: { ...pipeline.tools, ...tools } },
    signal: new AbortController().signal,
    folder,
    log: (line: string) => void lines.push(line),
  };
  const songs = titles.map((title, index) => ({ title, startSeconds: 60 * index }));
  const made = await drawCard(work, { title: "Side A", songs, durationSeconds: 60 * songs.length }, cover);
  return { coverPath: made?.coverPath, thumbnailPath: made?.thumbnailPath, lines };
}

/** @returns the grey of each pixel of a part of the card */
async function pixelsOf({ coverPath = "" }: Drawn, crop: string): Promise<Buffer> {
  const path = `${coverPath}.raw`;
  await ffmpeg("-y", "-i", coverPath, "-vf", `format=gray,crop=${crop}`, "-f", "rawvideo", path);
  return readFile(path);
}

// By whole blocks of a JPEG, so that none has a change in it that is elsewhere.
const HEAD = "720:240:0:0";
const FIRST_TITLE = "480:46:88:256";
const SECOND_LINE = "720:32:0:304";
const PICTURE = "160:160:48:48";

it("draws a square picture, which differs with the titles", async () => {
  const [one, same, other] = [await draw(["One", "Two"]), await draw(["One", "Two"]), await draw(["Other", "Two"])];
  const sizeOf = (path = ""): Promise<string[]> => probedLines("-show_entries", "stream=width,height", path);
  expect([await sizeOf(one.coverPath), await sizeOf(one.thumbnailPath)]).toEqual([["720,720"], ["320,320"]]);
  expect(await pixelsOf(same, FIRST_TITLE)).toEqual(await pixelsOf(one, FIRST_TITLE));
  expect(await pixelsOf(other, FIRST_TITLE)).not.toEqual(await pixelsOf(one, FIRST_TITLE));
  expect(await pixelsOf(other, SECOND_LINE)).toEqual(await pixelsOf(one, SECOND_LINE));
});

it("has the picture of a song in its corner", async () => {
  const [black, none] = [await draw(["One"], {}, "black"), await draw(["One"])];
  expect(Math.max(...(await pixelsOf(black, PICTURE)))).toBeLessThan(20);
  expect(Math.max(...(await pixelsOf(none, PICTURE)))).toBeGreaterThan(200);
});

it.each([
  String.raw`{\an7\pos(0,0)\clip(0,0,720,720)\p1\1c&H000000&}m 0 0 l 720 0 720 720 0 720`,
  String.raw`\N\N\N\N{\fs500}W{\r}`,
  `',drawbox=t=fill;[in]%{pts}:\\,`,
  `</text><rect width="720" height="720"/>&#x41;`,
  "\u202e\u0000\u001b[2J\r\nDialogue: 0,0:00:00.00,0:01:00.00,Card,,0,0,0,,{\\fs500}W",
  "A long title ".repeat(20),
])("draws nothing outside of its place for the title %j", async (title) => {
  const [plain, drawn] = [await draw(["One", "Two"]), await draw([title, "Two"])];
  expect(drawn.lines).toEqual([]);
  for (const part of [HEAD, SECOND_LINE, "720:384:0:336", "144:720:576:0"])
    expect(await pixelsOf(drawn, part)).toEqual(await pixelsOf(plain, part));
  expect(await pixelsOf(drawn, FIRST_TITLE)).not.toEqual(await pixelsOf(plain, FIRST_TITLE));
});

it.each([
  [
    "there are no fonts",
    (ffmpegPath: string) =>
      `printf '<fontconfig></fontconfig>' > none; FONTCONFIG_FILE="$PWD/none" exec "${ffmpegPath}" "$@"`,
    /^there are no fonts$/,
  ],
  ["ffmpeg has no libass", () => `echo "No such filter: 'ass'" >&2; exit 1`, /No such filter: 'ass'/],
])("makes no card where %s, and says so", async (_, script, said) => {
  const ffmpegPath = join(await testFolder(), "ffmpeg");
  await writeFile(ffmpegPath, `#!/bin/sh\n${script(pipeline.tools.ffmpegPath)}\n`);
  await chmod(ffmpegPath, 0o755);
  const { coverPath, lines } = await draw(["One"], { ffmpegPath });
  expect(coverPath).toBeUndefined();
  expect(lines).toEqual([expect.stringMatching(said)]);
});
