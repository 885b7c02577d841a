import "./read-text.ts";
import { describe, expect, it } from "vitest";
import type { Job } from "../../../common/job.ts";
import { ApiError } from "../api/errors.ts";
import type { Notice } from "./notice.ts";
import { makeJob } from "../testing/sample-jobs.ts";
import { createConverterStore, linkProblem } from "./converter.ts";
import type { ConverterParts, ShownList } from "./converter.ts";

const LINK = "https://youtu.be/aqz-KE-bpKQ";

function converterWith(createConversion: ConverterParts["createConversion"], refusal: string | null = null) {
  const notices: Notice[] = [];
  const created: Job[] = [];
  const view = { isJobInView: false };
  const store = createConverterStore({
    createConversion,
    onCreated: (job) => created.push(job),
    isJobInView: () => view.isJobInView,
    notify: (notice) => notices.push(notice),
    videoHosts: () => ["localhost:8090"],
    choices: () => undefined,
    refusal: () => refusal,
  });
  return { store, notices, created, view };
}

describe("linkProblem", () => {
  it.each([
    ["", "empty"],
    ["   ", "empty"],
    ["https://example.com/a", "unsupported_host"],
    ["cats/dogs", "unknown"],
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

  it("keeps MP3 or MP4 for the next link, and goes back to it from a format for one video", async () => {
    const { store } = converterWith(() => Promise.resolve(makeJob()));
    const { setLink, setFormat, submit, forgetFormat } = store.getState();
    setFormat("mp4");
    setLink(LINK);
    setFormat("transcript");
    setLink(`${LINK} `);
    expect(store.getState().format).toBe("transcript");
    await submit();
    expect(store.getState().format).toBe("mp4");
    setFormat("flac");
    setLink(LINK);
    expect(store.getState().format).toBe("mp4");
    setFormat("flac");
    forgetFormat();
    expect(store.getState().format).toBe("mp4");
  });

  it("shows no toast for a job that is in view", async () => {
    const { store, notices, view } = converterWith(() => Promise.resolve(makeJob()));
    view.isJobInView = true;
    store.getState().setLink(LINK);
    await store.getState().submit();
    expect(notices).toEqual([]);
  });

  it("sends no request for an invalid link and clears the problem at the next change", async () => {
    const { store, notices } = converterWith(() => Promise.reject(new Error("must not be called")));
    await store.getState().submit();
    expect(store.getState().problem).toBe("empty");
    expect(notices).toEqual([{ kind: "error", title: "Invalid URL", description: "Please enter a YouTube URL" }]);
    store.getState().setLink("h");
    expect(store.getState().problem).toBeNull();
  });

  it("sends no request for a link that cannot be converted, keeps it, and shows the reason", async () => {
    const { store, notices } = converterWith(() => Promise.reject(new Error("must not be called")), "It is private.");
    store.getState().setLink(LINK);
    await store.getState().submit();
    expect(store.getState()).toMatchObject({ link: LINK, isPending: false });
    expect(notices).toEqual([{ kind: "error", title: "Conversion Failed", description: "It is private." }]);
  });

  it.each([
    [new ApiError(422, "", '{"code":"live","message":"It is live."}'), "live", "It is live."],
    [new ApiError(502, "Bad Gateway", "<html>"), "internal", "Failed to start conversion"],
    [new TypeError("fetch failed"), "internal", "Failed to start conversion"],
  ])("keeps the link and the problem after %s (%s) and shows: %s", async (failure, code, description) => {
    const { store, notices } = converterWith(() => Promise.reject(failure));
    store.getState().setLink(LINK);
    await store.getState().submit();
    expect(store.getState()).toMatchObject({ link: LINK, isPending: false, problem: { code } });
    expect(notices).toEqual([{ kind: "error", title: "Conversion Failed", description }]);
    store.getState().setFormat("mp4");
    expect(store.getState().problem).toBeNull();
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

describe("a list that is shown for the link", () => {
  const CHOSEN = { link: "https://youtu.be/chosen-0001", title: "Chosen", durationSeconds: 30 };

  function showListWith(list: Partial<ShownList>) {
    const inputs: unknown[] = [];
    const parts = converterWith((input) => {
      inputs.push(input);
      return Promise.resolve(makeJob());
    }, "A list.");
    parts.store.getState().setLink(LINK);
    parts.store.getState().showList({ problem: () => null, start: () => Promise.resolve(CHOSEN), ...list });
    return { ...parts, inputs };
  }

  it("has its chosen video converted in place of the link, which is no video", async () => {
    const { store, inputs } = showListWith({});
    await store.getState().submit();
    expect(inputs).toEqual([{ youtubeUrl: CHOSEN.link, format: "mp3" }]);
    expect(store.getState().link).toBe("");
  });

  it("starts several videos by itself", async () => {
    const { store, inputs, notices } = showListWith({ start: () => Promise.resolve(null) });
    await store.getState().submit();
    expect([inputs, notices, store.getState().link]).toEqual([[], [], ""]);
  });

  it("says what is missing, and keeps the link", async () => {
    const notice: Notice = { kind: "error", title: "Nothing", description: "Choose." };
    const { store, inputs, notices } = showListWith({ problem: () => notice });
    await store.getState().submit();
    expect([inputs, notices, store.getState().link]).toEqual([[], [notice], LINK]);
  });
});
