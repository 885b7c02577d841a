/** What programs read from `/api/events`. */
import { once } from "node:events";
import { IncomingMessage } from "node:http";
import { Socket } from "node:net";
import { beforeAll, expect, it } from "vitest";
import { SnapshotEvent } from "../../common/events.ts";
import { Job } from "../../common/job.ts";
import { CreatedToken } from "../../common/token-calls.ts";
import { ofFile } from "../dev/testing/of-file.ts";
import { convertWithoutTools } from "../dev/testing/test-conversion.ts";
import { startTestServer } from "../dev/testing/test-server.ts";
import { EventStream } from "./event-stream.ts";

let token: CreatedToken;
const server = await ofFile(startTestServer({ hasExtractor: false }, undefined, convertWithoutTools));
const device = await server.newDevice();
beforeAll(async () => {
  await server.signIn(device, { email: "pro@example.com" });
  await server.setTier("pro@example.com", "pro");
  token = await makeToken(["read", "convert"]);
});

async function makeToken(scopes: string[]): Promise<CreatedToken> {
  const answer = await device.call("POST", "/api/tokens", { name: "A program", scopes });
  return CreatedToken.parse(await answer.json());
}

interface ReadEvent {
  readonly name: string;
  readonly id: string | undefined;
  readonly data: unknown;
}

/** Reads a stream as the standard says it, one event after the other. */
class EventReader {
  readonly #chunks: AsyncIterator<Uint8Array>;
  readonly #stop: AbortController;
  readonly #decoder = new TextDecoder();
  #text = "";

  private constructor(answer: Response, stop: AbortController) {
    this.#chunks = (answer.body ?? new ReadableStream<Uint8Array>())[Symbol.asyncIterator]();
    this.#stop = stop;
  }

  static async open(headers: Record<string, string>): Promise<EventReader> {
    const stop = new AbortController();
    const answer = await fetch(`${server.origin}/api/events`, { headers, signal: stop.signal });
    if (!answer.headers.get("content-type")?.startsWith("text/event-stream")) throw new Error(await answer.text());
    return new EventReader(answer, stop);
  }

  /** @returns the next event with this name; null when the stream has ended */
  async next(name: string): Promise<ReadEvent | null> {
    for (;;) {
      const event = await this.#nextEvent();
      if (event === null || event.name === name) return event;
    }
  }

  /** @returns the events up to the next one with this name, and that one */
  async until(name: string): Promise<ReadEvent[]> {
    const events: ReadEvent[] = [];
    for (;;) {
      const event = await this.#nextEvent();
      if (event === null) throw new Error("the stream ended");
      events.push(event);
      if (event.name === name) return events;
    }
  }

  close(): void {
    this.#stop.abort();
  }

  async #nextEvent(): Promise<ReadEvent | null> {
    for (;;) {
      const end = this.#text.indexOf("\n\n");
      if (end === -1) {
        const chunk = await this.#chunks.next();
        if (chunk.done) return null;
        this.#text += this.#decoder.decode(chunk.value, { stream: true });
        continue;
      }
      const fields = new Map(
        this.#text
          .slice(0, end)
          .split("\n")
          .map((line) => [line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 2)] as const),
      );
      this.#text = this.#text.slice(end + 2);
      const data = fields.get("data");
      if (data !== undefined) return { name: fields.get("event") ?? "", id: fields.get("id"), data: JSON.parse(data) };
    }
  }
}

const withToken = (more: Record<string, string> = {}) => ({ authorization: `Bearer ${token.secret}`, ...more });

async function untilCompleted(reader: EventReader, id: string): Promise<ReadEvent> {
  for (;;) {
    const event = await reader.next("job");
    if (event === null) throw new Error("the stream ended");
    const job = Job.parse(event.data);
    if (job.id === id && job.status === "completed") return event;
  }
}

it("tells all jobs first and then each change, to tokens and to browsers", async () => {
  const before = await device.convert(server.site.urlOf("rain"));
  for (const headers of [withToken(), { cookie: device.cookie }]) {
    const reader = await EventReader.open(headers);
    const { jobs } = SnapshotEvent.parse((await reader.next("snapshot"))?.data);
    expect(jobs.map(({ id }) => id)).toContain(before.id);
    const { id } = await device.convert(server.site.urlOf("tide"));
    await untilCompleted(reader, id);
    await device.call("DELETE", `/api/conversions/${id}`);
    expect((await reader.next("job:removed"))?.data).toEqual({ id });
    reader.close();
  }
});

it("goes on after the last event that a reader has, and shows nobody else's jobs", async () => {
  const first = await EventReader.open(withToken());
  const { id } = await device.convert(server.site.urlOf("rain"));
  const last = await untilCompleted(first, id);
  first.close();
  const stranger = await server.newDevice();
  const { id: foreign } = await stranger.convert(server.site.urlOf("cello"));
  await (await stranger.live()).untilStatus(foreign, "completed");
  const missed = await device.convert(server.site.urlOf("lanterns"));
  await (await device.live()).untilStatus(missed.id, "completed");

  const second = await EventReader.open(withToken({ "last-event-id": last.id ?? "" }));
  const event = await second.next("job");
  expect(Job.parse(event?.data)).toMatchObject({ id: missed.id, status: "completed" });
  const after = SnapshotEvent.parse((await second.next("snapshot"))?.data);
  expect(after.jobs.map((job) => job.id)).toEqual(expect.arrayContaining([id, missed.id]));
  second.close();

  // Of another visitor, the id is worth nothing.
  const other = await EventReader.open({ cookie: stranger.cookie, "last-event-id": last.id ?? "" });
  const before = await other.until("snapshot");
  expect(before.map(({ name }) => name)).not.toContain("job");
  const { jobs } = SnapshotEvent.parse(before.at(-1)?.data);
  expect(jobs).toHaveLength(1);
  other.close();
});

it("continues a stream for one reader, and begins anew for a second one with the same event", async () => {
  const first = await EventReader.open(withToken());
  const { id: lastId } = await first
    .next("snapshot")
    .then(async (event) => event ?? Promise.reject(new Error("ended")));
  first.close();
  const readers = [];
  for (const [name, wanted] of [
    ["second", "snapshot"],
    ["third", "identity"],
  ] as const) {
    const reader = await EventReader.open(withToken({ "last-event-id": lastId ?? "" }));
    expect([name, await reader.next(wanted)]).not.toContain(null);
    readers.push(reader);
  }
  const { id } = await device.convert(server.site.urlOf("rain"));
  for (const reader of readers) {
    await untilCompleted(reader, id);
    reader.close();
  }
});

it("does not continue the stream of an account by a token that may not read, or by a socket of another visitor", async () => {
  const first = await EventReader.open(withToken());
  const { id } = await device.convert(server.site.urlOf("rain"));
  const last = (await untilCompleted(first, id)).id ?? "";
  first.close();
  const missed = await device.convert(server.site.urlOf("lanterns"));
  await (await device.live()).untilStatus(missed.id, "completed");

  const { secret } = await makeToken(["convert"]);
  const refused = EventReader.open({ authorization: `Bearer ${secret}`, "last-event-id": last });
  await expect(refused).rejects.toThrow("missing_scope");

  const stranger = await server.newDevice();
  const [pid, offset] = last.split("~");
  const path = `${server.origin}/socket.io/?EIO=4&transport=polling`;
  const headers = { cookie: stranger.cookie };
  const [, sid = ""] = /"sid":"([^"]+)"/.exec(await (await fetch(path, { headers })).text()) ?? [];
  const body = `40${JSON.stringify({ pid, offset })}`;
  await fetch(`${path}&sid=${sid}`, { method: "POST", headers, body });
  let seen = "";
  while (!seen.includes('"snapshot"')) seen += await (await fetch(`${path}&sid=${sid}`, { headers })).text();
  expect(seen).not.toContain(missed.id);
});

it.each(["x", "~", "a~b", "a~1-1"])("begins with a snapshot after the unknown event %s", async (id) => {
  const reader = await EventReader.open(withToken({ "last-event-id": id }));
  expect(await reader.next("snapshot")).not.toBeNull();
  reader.close();
});

it("answers HEAD, and refuses a caller without a device and a token without the scope", async () => {
  const head = await fetch(`${server.origin}/api/events`, { method: "HEAD", headers: withToken() });
  expect(head.status).toBe(200);
  expect((await fetch(`${server.origin}/api/events`)).status).toBe(400);
  const { secret } = await makeToken(["convert"]);
  const refused = await fetch(`${server.origin}/api/events`, { headers: { authorization: `Bearer ${secret}` } });
  expect(refused.status).toBe(403);
});

it("is cut off when its reader does not read, so that the next one begins with a snapshot", async () => {
  const stream = new EventStream(new IncomingMessage(new Socket()));
  const opened = stream.begin("");
  stream.write('0{"sid":"a","pid":"b"}');
  await opened;
  const closed = once(stream, "close");
  const push = `2["job","${"x".repeat(1_000)}","1"]`;
  for (let count = 0; count < 900; count += 1) stream.write(push);
  expect(stream.readyState).toBe("open");
  for (let count = 0; count < 200; count += 1) stream.write(push);
  expect(await closed).toEqual(["behind"]);
});

it("ends when its token is revoked, and when the server stops", async () => {
  const { id, secret } = await makeToken(["read"]);
  const revoked = await EventReader.open({ authorization: `Bearer ${secret}` });
  await revoked.next("snapshot");
  await device.call("DELETE", `/api/tokens/${id}`);
  await expect(revoked.next("end")).rejects.toThrow(TypeError);

  const reader = await EventReader.open(withToken());
  await reader.next("snapshot");
  await server.stop();
  await expect(reader.next("end")).rejects.toThrow(TypeError);
  await server.start();
});
