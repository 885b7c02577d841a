/** Conversions and previews with tools that replace a name in their folder by something else. */
import { chmod, lstat, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, inject, it } from "vitest";
import type { ConversionChoices } from "../../common/choices.ts";
import { TIERS, type Format } from "../../common/tiers.ts";
import { ofFile } from "../dev/testing/of-file.ts";
import { samplePipeline } from "../dev/testing/sample-pipeline.ts";
import type { Pipeline } from "../pipeline/pipeline.ts";
import type { PageName } from "../dev/stand-ins/sample-site/sample-site.ts";
import { testFolder } from "../dev/testing/test-folder.ts";
import { RefusedFile } from "../tool-files/tool-files.ts";
import { LinkSlots } from "./link-slots.ts";
import { PreviewMaker } from "./previews.ts";

const SECRET = "a secret of the server";

/** Stands for DATA_DIR. */
const root = await testFolder();

const sample = await ofFile(samplePipeline());
beforeAll(async () => {
  await mkdir(join(root, "tools"));
  await writeFile(join(root, "session-keys"), SECRET);
});

/** Shell commands that put something at "$name". */
const KINDS = ["a link to a secret", "a link to nothing", "a pipe", "a folder"] as const;
function commandFor(kind: (typeof KINDS)[number]): string {
  switch (kind) {
    case "a link to a secret":
      return `ln -s "${root}/session-keys" "$name"`;
    case "a link to nothing":
      return `ln -s "${root}/made" "$name"`;
    case "a pipe":
      return 'mkfifo "$name"';
    case "a folder":
      return 'mkdir "$name"';
  }
}

/** @returns path of a program that runs the real tool, and then replaces what a pattern names */
async function toolThatReplaces(
  tool: string,
  { name: pattern, isOwn = false }: Pick<Replaced, "name" | "isOwn">,
  kind: (typeof KINDS)[number],
): Promise<string> {
  const path = join(root, "tools", `tool-${crypto.randomUUID()}`);
  const lines = [
    "#!/bin/sh",
    `"${tool}" "$@"`,
    "code=$?",
    // What a tool writes itself is replaced after that: other tools would wait for a pipe in its place.
    `case "$*" in *${isOwn ? `/${pattern}` : ""}*) for name in ${pattern}; do rm -rf "$name"; ${commandFor(kind)}; done;; esac`,
    "exit $code",
  ];
  await writeFile(path, lines.join("\n"));
  await chmod(path, 0o755);
  return path;
}

async function pipelineWith(
  { tool, ...replaced }: Pick<Replaced, "tool" | "name" | "isOwn">,
  kind: (typeof KINDS)[number],
): Promise<Pipeline> {
  const path = await toolThatReplaces(inject("toolPaths")[tool], replaced, kind);
  const { pipeline } = sample;
  const tools = { ...pipeline.tools, [tool]: path };
  // The host would run the real yt-dlp. A wrapper sees of the machine what a test gives it.
  if (tool === "ffmpegPath") return { ...pipeline, tools };
  return { ...pipeline, tools, extractorHost: undefined, sandbox: undefined };
}

async function expectNothingOutside(): Promise<void> {
  expect((await readdir(root)).toSorted()).toEqual(["session-keys", "tools"]);
  expect(await readFile(join(root, "session-keys"), "utf8")).toBe(SECRET);
}

interface Replaced {
  readonly tool: "ffmpegPath" | "ytDlpPath";
  readonly name: string;
  /** Written by the tool that replaces it. */
  readonly isOwn?: boolean;
  readonly page?: PageName;
  readonly format: Format;
  readonly choices?: ConversionChoices;
}

const PART = { part: { startSeconds: 1, endSeconds: 3 } };
const LATE_PART = { part: { startSeconds: 61.5, endSeconds: 88.3 } };
const ENGLISH = { subtitles: { language: "en" } };
const REPLACED: readonly Replaced[] = [
  { tool: "ffmpegPath", name: "thumbnail.jpg", format: "mp3" },
  { tool: "ffmpegPath", name: "cover.jpg", format: "mp3" },
  { tool: "ffmpegPath", name: "cover.jpg", format: "mp4", page: "rain" },
  { tool: "ffmpegPath", name: "cover.jpg", format: "wav" },
  { tool: "ffmpegPath", name: "result.mp3", format: "mp3", choices: PART },
  { tool: "ffmpegPath", name: "result.mp4", isOwn: true, format: "mp4", page: "lanterns", choices: PART },
  { tool: "ffmpegPath", name: "result.mp4.edge-0.mp4", isOwn: true, format: "mp4", page: "clicks", choices: LATE_PART },
  { tool: "ffmpegPath", name: "result.mp4.picture.mp4", format: "mp4", page: "clicks", choices: LATE_PART },
  { tool: "ffmpegPath", name: "result.wav", isOwn: true, format: "wav" },
  { tool: "ffmpegPath", name: "result.flac", isOwn: true, format: "flac" },
  { tool: "ffmpegPath", name: "result.original", isOwn: true, format: "original" },
  { tool: "ffmpegPath", name: "chapter-0.mp3", format: "mp3", page: "chapters", choices: { chapterFiles: true } },
  { tool: "ffmpegPath", name: "result.zip", format: "mp3", page: "chapters", choices: { chapterFiles: true } },
  { tool: "ytDlpPath", name: "info-*.json", format: "mp3" },
  { tool: "ytDlpPath", name: "source-0", format: "mp3" },
  { tool: "ytDlpPath", name: "picture", format: "mp3" },
  { tool: "ytDlpPath", name: "source-0.beginning", format: "mp3", page: "clicks-fragments", choices: LATE_PART },
  { tool: "ytDlpPath", name: "result.mp3", format: "mp3" },
  { tool: "ytDlpPath", name: "result.mp4.subtitles", format: "mp4", page: "subtitles", choices: ENGLISH },
  { tool: "ytDlpPath", name: "result.mp4.chapters", format: "mp4", page: "chapters" },
  { tool: "ytDlpPath", name: "result.srt", format: "transcript", page: "subtitles" },
  { tool: "ytDlpPath", name: "result.original.cover", format: "original", page: "lanterns" },
  { tool: "ytDlpPath", name: "result.zip", format: "mp3", page: "chapters", choices: { chapterFiles: true } },
];

/** One tells what is secret, the other holds up who opens it. `tool-files.test.ts` has all kinds for each use of a file. */
const DANGEROUS = ["a link to a secret", "a pipe"] as const;

it.each(REPLACED.map((replaced, index) => ({ ...replaced, kinds: index === 0 ? KINDS : DANGEROUS })))(
  "a conversion to $format fails when $tool replaces $name by $kinds",
  async ({ kinds, ...replaced }) => {
    const { name, page = "cello", format, choices } = replaced;
    const errors = kinds.map(async (kind) => {
      const pipeline = await pipelineWith(replaced, kind);
      const check = async ({ path }: { readonly path: string }): Promise<void> => {
        expect((await lstat(path)).isFile()).toBe(true);
        expect((await readFile(path)).includes(SECRET)).toBe(false);
      };
      return sample.convert({ page, format, choices, pipeline, check }).catch((error: unknown) => error);
    });
    const isOf = expect.stringContaining(name.replace(/^info-.*/, "info-"));
    for (const error of await Promise.all(errors)) {
      expect(error).toBeInstanceOf(RefusedFile);
      expect(error).toMatchObject({ code: "internal", detail: isOf });
    }
    await expectNothingOutside();
  },
);

describe("a preview", () => {
  const KEPT = { keepMs: 60_000, maxKept: 10, maxKeptBytes: 1_000_000 };
  const forever = new AbortController().signal;

  it.each(KINDS)("is refused, and holds up nothing, when ffmpeg makes %s of the picture", async (kind) => {
    const pipeline = await pipelineWith({ tool: "ffmpegPath", name: "thumbnail.jpg" }, kind);
    const slots = new LinkSlots({ scratchFolder: join(sample.folder, "scratch"), concurrency: 6 });
    const settings = { pictureMs: 60_000, sponsorsMs: 60_000, kept: KEPT };
    // More at a time than this process has threads for files.
    const links = (["cello", "rain", "lanterns", "tide", "snow", "observatory"] as const).map((page) =>
      sample.site.urlOf(page),
    );
    const makers = links.map(() => new PreviewMaker(pipeline, slots, settings));
    const previews = links.map((link, index) => makers[index]?.create(link, "free", {}, forever));
    const refused = Promise.all(previews.map((preview) => expect(preview).rejects.toBeInstanceOf(RefusedFile)));
    await sample.convert({ page: "cello", format: "mp3", limits: TIERS.free });
    await refused;
    await slots.untilIdle();
    await expectNothingOutside();
  });
});
