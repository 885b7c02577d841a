import { expect, it } from "vitest";
import { RemarkBook } from "./youtube-remarks.ts";

function open(): { readonly book: RemarkBook; readonly lines: unknown[][] } {
  const lines: unknown[][] = [];
  return { book: new RemarkBook({ warn: (...line: unknown[]) => void lines.push(line) }), lines };
}

it("logs and shows a reason once, without links and ids", () => {
  const { book, lines } = open();
  book.unknownReason("ERROR: [youtube] dQw4w9WgXcQ: This video is 3 days away. See  https://youtu.be/dQw4w9WgXcQ");
  book.unknownReason("ERROR: [youtube] jNQXAC9IVRw: This video is 5 days away. See  https://youtu.be/jNQXAC9IVRw");
  const detail = "ERROR: [youtube] [id]: This video is 3 days away. See [link]";
  expect(lines).toEqual([[{ detail }, "YouTube gives a reason that this version does not know"]]);
  expect(book.remarks).toEqual({ unknownClients: [], unknownReasons: [detail], scripts: null });
});

it("shows that scripts were stopped, or that nothing runs them", () => {
  const { book } = open();
  book.scriptStopped();
  expect(book.remarks.scripts).toBe("stopped");
  expect(new RemarkBook({ warn: () => undefined }, false).remarks.scripts).toBe("absent");
});

it("keeps a bounded number of reasons", () => {
  const { book } = open();
  for (let index = 0; index < 100; index += 1) book.unknownReason(`ERROR: [youtube] x: ${"word".repeat(index)}`);
  expect(book.remarks.unknownReasons).toHaveLength(20);
});

it("logs the clients that yt-dlp does not have, and shows those of the yt-dlp in use", () => {
  const { book, lines } = open();
  book.unknownClients(["tv_embedded", "android_old"]);
  expect(lines).toEqual([[expect.stringContaining("does not know tv_embedded, android_old")]]);
  expect(book.remarks.unknownClients).toEqual(["tv_embedded", "android_old"]);
  book.unknownClients([]);
  expect(lines).toHaveLength(1);
  expect(book.remarks.unknownClients).toEqual([]);
});
