/** The declarations of the calls about single conversions. */
import { z } from "zod";
import { CreateConversion } from "../../../common/api.ts";
import { CONTENT_TYPES } from "../../../common/file-types.ts";
import { Job } from "../../../common/job.ts";
import { LINK_ERRORS, QUEUE_ERRORS, type Call } from "../api-description/call.ts";
import { COMPLETED_JOB, LINK, QUEUED_JOB } from "../api-description/examples.ts";
import { jobAnswer } from "../api-description/schemas.ts";

/** Without the character set. */
const FILE_TYPES = [...new Set(Object.values(CONTENT_TYPES).map((type) => type.replace(/;.*/, "")))];

const SENT_RANGE = { "Content-Range": "Which bytes these are, and of how many: `bytes 0-499/1234`" };
const NO_RANGE = { "Content-Range": "How many bytes there are: `bytes */1234`" };

const RemovalQuery = z.object({
  while: z
    .literal("active")
    .optional()
    .describe("Only cancel: if the job has ended meanwhile, it keeps its file, and the answer is `conflict`."),
});

const FileHeaders = z.object({
  range: z
    .string()
    .optional()
    .describe("One range of bytes, such as `bytes=0-499`. Several ranges and other units count as none."),
  "if-range": z
    .string()
    .optional()
    .describe("The `ETag` or `Last-Modified` of an earlier answer: if the file is another one, it is sent as a whole."),
  "if-match": z.string().optional().describe("The `ETag` of an earlier answer: 412 if the file is another one."),
  "if-none-match": z.string().optional().describe("The `ETag` of an earlier answer: 304 if the file is the same."),
});

const WITH_CHOICES = {
  part: { youtubeUrl: LINK, format: "mp4", choices: { part: { startSeconds: 30, endSeconds: 90 } } },
  subtitles: { youtubeUrl: LINK, format: "mp4", choices: { subtitles: { language: "en" } } },
  transcript: { youtubeUrl: LINK, format: "transcript", choices: { subtitles: { language: "en", as: "vtt" } } },
  soundLanguage: { youtubeUrl: LINK, format: "mp3", choices: { soundLanguage: "de" } },
  tags: {
    youtubeUrl: LINK,
    format: "mp3",
    choices: {
      tags: { title: "Rabbit", artist: "Blender", album: "", date: "2008-05-20", description: "An open movie." },
    },
  },
  album: {
    youtubeUrl: LINK,
    format: "mp3",
    choices: { album: { title: "Peach", artist: "Blender", of: 8, track: 3 } },
  },
  chapterFiles: { youtubeUrl: LINK, format: "mp3", choices: { chapterFiles: true } },
  sponsored: { youtubeUrl: LINK, format: "mp3", choices: { sponsored: "cut" } },
};

export const CONVERSION_CALLS = {
  list: {
    route: "GET /api/conversions",
    group: "Conversions",
    summary: "List the caller's jobs, newest first",
    tokens: "read",
    description: "All active jobs, and the newest 200 of the others.",
    answers: { 200: { description: "The jobs", schema: z.array(Job), example: [COMPLETED_JOB] } },
  },
  create: {
    route: "POST /api/conversions",
    group: "Conversions",
    summary: "Convert a link",
    description:
      "The answer shows the job as it was asked for. Where the file is stored already, such as after the same request " +
      "before, the job is completed by then, and its end is told at once. A video of a post with several, which has no " +
      "address of its own, is the address of the post with its number as fragment: `https://example.com/post/7#video=2`.",
    tokens: "convert",
    request: {
      name: "CreateConversion",
      schema: CreateConversion,
      example: { youtubeUrl: LINK, format: "mp3" },
      moreExamples: WITH_CHOICES,
    },
    isRepeatable: true,
    answers: { 201: jobAnswer("The queued job", QUEUED_JOB) },
    errors: [...LINK_ERRORS, ...QUEUE_ERRORS],
  },
  read: {
    route: "GET /api/conversions/:id",
    group: "Conversions",
    summary: "Read a job",
    tokens: "read",
    answers: { 200: jobAnswer("The job as it is now", COMPLETED_JOB) },
    errors: ["not_found"],
  },
  remove: {
    route: "DELETE /api/conversions/:id",
    group: "Conversions",
    summary: "Cancel an active job, or remove an ended one with its file",
    tokens: "convert",
    query: RemovalQuery,
    answers: {
      200: jobAnswer("The canceled job", { ...QUEUED_JOB, status: "canceled" }),
      204: { description: "Removed" },
    },
    errors: ["not_found", "conflict"],
  },
  retry: {
    route: "POST /api/conversions/:id/retry",
    group: "Conversions",
    summary: "Queue a failed or canceled job again",
    tokens: "convert",
    answers: { 200: jobAnswer("The queued job", { ...QUEUED_JOB, attempt: 2 }) },
    errors: ["not_found", "blocked", ...QUEUE_ERRORS],
  },
  file: {
    route: "GET /api/conversions/:id/file",
    group: "Conversions",
    summary: "Download the file of a job",
    tokens: "download",
    description:
      "With a store in the cloud the answer may be a redirect to it. An MP3 or MP4 can be downloaded while it " +
      "is made, as soon as the job that is processing has a `downloadUrl`: the answer sends what is there and then what " +
      "comes. It has a length only where that is sure, and its connection is cut if the job does not complete. It goes " +
      "on by `Range` with its `ETag` in `If-Range` or `If-Match`; a range whose answer depends on an unknown size waits " +
      "for the end, or gets the whole file. That form may be another one than the kept file, which has another `ETag`: " +
      "the MP3 has a provisional header with the expected length, and the MP4 may be in fragments. Without a " +
      "`downloadUrl` the answer is `not_found`.",
    headers: FileHeaders,
    answers: {
      200: { description: "The file", mediaTypes: FILE_TYPES },
      206: { description: "A range of the file", mediaTypes: FILE_TYPES, headers: SENT_RANGE },
      302: { description: "Where the file is" },
      304: { description: "The file has not changed" },
      412: { description: "The file is another one than that of `If-Match`" },
      416: { description: "The file has no such range", headers: NO_RANGE },
    },
    errors: ["not_found", "blocked", "rate_limited"],
  },
  thumbnail: {
    route: "GET /api/conversions/:id/thumbnail",
    group: "Conversions",
    summary: "Download the picture of a job",
    tokens: "read",
    headers: FileHeaders,
    answers: {
      200: { description: "The picture", mediaTypes: ["image/jpeg"] },
      206: { description: "A range of the picture", mediaTypes: ["image/jpeg"], headers: SENT_RANGE },
      302: { description: "Where the picture is" },
      304: { description: "The picture has not changed" },
      412: { description: "The picture is another one than that of `If-Match`" },
      416: { description: "The picture has no such range", headers: NO_RANGE },
    },
    errors: ["not_found", "blocked"],
  },
} satisfies Record<string, Call>;
