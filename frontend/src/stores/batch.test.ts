import { describe, expect, it } from "vitest";
import { SENTENCES } from "../../../common/errors.ts";
import type { Job } from "../../../common/job.ts";
import { ApiError } from "../api/errors.ts";
import type { Notice } from "./notice.ts";
import { makeJob } from "../testing/sample-jobs.ts";
import { sentenceOf } from "../texts/store.ts";
import { createBatchStore, MAX_BATCH_LINKS } from "./batch.ts";
import { countLinks, findLinks } from "./submit-batch.ts";
import type { BatchParts } from "./batch.ts";

const link = (name: string) => `https://youtu.be/${name}`;

function batchWith(createBatch: BatchParts["createBatch"]) {
  const notices: Notice[] = [];
  const created: Job[] = [];
  const store = createBatchStore({
    createBatch,
    onCreated: (jobs) => created.push(...jobs),
    notify: (notice) => notices.push(notice),
    videoHosts: () => [],
    format: () => "mp4",
    choices: (format) => (format === "mp4" ? { subtitles: { language: "de" } } : undefined),
  });
  return { store, notices, created };
}

const never = () => Promise.reject(new Error("must not be called"));

describe("batch", () => {
  it("finds the lines that may be links, with their line numbers", () => {
    const { links, others } = findLinks(` ${link("a")} \r\n\nnonsense\n${link("b")}`, []);
    expect(links).toEqual([
      { line: 1, url: link("a") },
      { line: 4, url: link("b") },
    ]);
    expect(others).toEqual([{ line: 3, url: "nonsense" }]);
  });

  it("counts links and not lines: those that the server would take", () => {
    const [one, two] = [link("dQw4w9WgXcQ"), link("aqz-KE-bpKQ")];
    expect(countLinks(`${one},${two}\nLook: ${one}\n\ncats\nhttps://example.com/x\nhttps://youtu.be/cut`, [])).toBe(3);
  });

  it.each([
    [
      "nothing\nat all",
      "noLinks",
      { title: "No Valid URLs", description: "Please enter at least one valid YouTube URL" },
    ],
    [
      Array.from({ length: MAX_BATCH_LINKS + 1 }, (_, index) => link(`${index}`)).join("\n"),
      "tooMany",
      { title: "Too Many URLs", description: `Pro users can process up to ${MAX_BATCH_LINKS} URLs at once` },
    ],
  ])("sends no request for %j", async (text, problem, notice) => {
    const { store, notices } = batchWith(never);
    store.getState().setText(text);
    await store.getState().submit();
    expect(notices).toEqual([{ kind: "error", ...notice }]);
    expect(store.getState().problem).toBe(problem);
  });

  it("starts valid lines and reports the others with the line numbers of the field", async () => {
    const sent: unknown[] = [];
    const { store, notices, created } = batchWith(async (input) => {
      sent.push(input);
      return {
        batchId: "b",
        jobs: [makeJob({ batchId: "b" })],
        refused: [{ line: 2, url: link("a"), code: "conflict", message: "Twice." }],
      };
    });
    store.getState().setText(`${link("a")}\nnonsense\n\n${link("a")}\nhttps://example.com/x`);
    await store.getState().submit();
    expect(sent).toEqual([{ urls: [link("a"), link("a")], format: "mp4", choices: { subtitles: { language: "de" } } }]);
    expect(created).toHaveLength(1);
    expect(notices).toEqual([{ kind: "success", title: "Batch Started", description: "Processing 1 video" }]);
    expect(store.getState().refused.map(({ line, ...error }) => [line, sentenceOf(error)])).toEqual([
      [2, "Please enter a valid YouTube URL"],
      [4, "Twice."],
      [5, SENTENCES.unsupported_host],
    ]);
    store.getState().editRefused();
    expect(store.getState()).toMatchObject({ text: `nonsense\n${link("a")}\nhttps://example.com/x`, refused: [] });
    expect(store.getState().isChosen).toBe(true);
  });

  it.each([
    [new ApiError(402, "", '{"code":"pro_required","message":"This needs Pro."}'), "pro_required", "This needs Pro."],
    [new TypeError("fetch failed"), "internal", "Failed to start batch conversion"],
  ])("keeps the text and the problem after %s (%s)", async (failure, code, description) => {
    const { store, notices } = batchWith(() => Promise.reject(failure));
    store.getState().setText(link("a"));
    await store.getState().submit();
    expect(store.getState()).toMatchObject({ text: link("a"), isPending: false, problem: { code } });
    expect(notices).toEqual([{ kind: "error", title: "Batch Failed", description }]);
  });
});
