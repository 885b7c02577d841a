import { describe, expect, it } from "vitest";
import type { Job } from "../../../common/job.ts";
import { ApiError } from "../api/errors.ts";
import type { Notice } from "./notice.ts";
import { makeJob } from "../testing/sample-jobs.ts";
import { createConverterStore, linkProblem } from "./converter.ts";
import type { ConverterParts } from "./converter.ts";

const LINK = "https://youtu.be/aqz-KE-bpKQ";

function converterWith(createConversion: ConverterParts["createConversion"]) {
  const notices: Notice[] = [];
  const created: Job[] = [];
  const store = createConverterStore({
    createConversion,
    onCreated: (job) => created.push(job),
    notify: (notice) => notices.push(notice),
    videoHosts: () => ["localhost:8090"],
  });
  return { store, notices, created };
}

describe("linkProblem", () => {
  it.each([
    ["", "empty"],
    ["   ", "empty"],
    ["https://example.com/a", "unknown"],
    [LINK, null],
    ["  HTTPS://WWW.YOUTUBE.COM/watch?v=1 ", null],
    ["http://localhost:8090/watch/one", null],
  ])("of %j is %j", (link, problem) => expect(linkProblem(link, ["localhost:8090"])).toBe(problem));

  it.each([
    ["http://localhost:8090/watch/one", null],
    ["nonsense", "unknown"],
    ["", "empty"],
  ])("of %j while the hosts are unknown is %j", (link, problem) => expect(linkProblem(link, null)).toBe(problem));
});

describe("converter", () => {
  it("sends the trimmed link with its format, empties the field and shows a toast", async () => {
    const inputs: unknown[] = [];
    const { store, notices, created } = converterWith(async (input) => {
      inputs.push(input);
      return makeJob();
    });
    store.getState().setLink(` ${LINK} `);
    store.getState().setFormat("mp4");
    await store.getState().submit();
    expect(inputs).toEqual([{ youtubeUrl: LINK, format: "mp4" }]);
    expect(created).toHaveLength(1);
    expect(store.getState()).toMatchObject({ link: "", isPending: false, format: "mp4" });
    expect(notices).toEqual([
      { kind: "success", title: "Conversion Started", description: "Your video has been added to the queue!" },
    ]);
  });

  it("sends no request for an invalid link and clears the problem at the next change", async () => {
    const { store, notices } = converterWith(() => Promise.reject(new Error("must not be called")));
    await store.getState().submit();
    expect(store.getState().problem).toBe("empty");
    expect(notices).toEqual([{ kind: "error", title: "Invalid URL", description: "Please enter a YouTube URL" }]);
    store.getState().setLink("h");
    expect(store.getState().problem).toBeNull();
  });

  it.each([
    [new ApiError(422, "", '{"code":"live","message":"This is a live stream."}'), "This is a live stream."],
    [new ApiError(502, "Bad Gateway", "<html>"), "Failed to start conversion"],
    [new TypeError("fetch failed"), "Failed to start conversion"],
  ])("keeps the link after %s and shows: %s", async (failure, description) => {
    const { store, notices } = converterWith(() => Promise.reject(failure));
    store.getState().setLink(LINK);
    await store.getState().submit();
    expect(store.getState()).toMatchObject({ link: LINK, isPending: false });
    expect(notices).toEqual([{ kind: "error", title: "Conversion Failed", description }]);
  });

  it("aborts a request in progress, empties the field and shows only the cancel toast", async () => {
    const { store, notices } = converterWith((_input, signal) => {
      const { promise, reject } = Promise.withResolvers<Job>();
      signal?.addEventListener("abort", () => reject(new DOMException("aborted", "AbortError")));
      return promise;
    });
    store.getState().setLink(LINK);
    const request = store.getState().submit();
    expect(store.getState().isPending).toBe(true);
    store.getState().cancel();
    await request;
    expect(store.getState()).toMatchObject({ link: "", isPending: false });
    expect(notices).toEqual([
      { kind: "info", title: "Conversion Canceled", description: "URL conversion has been canceled" },
    ]);
  });
});
