import { expect, it } from "vitest";
import { readEvents } from "./event-stream.ts";

const encoder = new TextEncoder();

/** @returns a stream of these chunks */
function streamOf(...chunks: string[]): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(encoder.encode(chunk));
      controller.close();
    },
  });
}

async function readAll(...chunks: string[]) {
  let heard = 0;
  const events = [];
  for await (const event of readEvents(streamOf(...chunks), () => (heard += 1))) events.push(event);
  return { events, heard };
}

it("reads events that arrive in pieces, and passes over comments", async () => {
  const { events, heard } = await readAll(
    "retry: 2000\n\n:\n\nevent: snap",
    'shot\ndata: {"a":"x: y"}\n\nevent: job\nid: p~1\nda',
    'ta: 1\n\ndata:"no name"\n\nevent: cut\ndata: 2\n',
  );
  expect(events).toEqual([
    { name: "snapshot", id: undefined, data: { a: "x: y" } },
    { name: "job", id: "p~1", data: 1 },
    { name: "message", id: undefined, data: "no name" },
  ]);
  expect(heard).toBe(3);
});

it("closes the connection when its reader has had enough", async () => {
  let isClosed = false;
  const endless = new ReadableStream<Uint8Array>({
    pull: (controller) => controller.enqueue(encoder.encode("data: 1\n\n")),
    cancel: () => void (isClosed = true),
  });
  for await (const { data } of readEvents(endless, () => undefined)) if (data === 1) break;
  expect(isClosed).toBe(true);
});
