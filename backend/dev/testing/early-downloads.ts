/** Downloads that begin while the file is made, from a whole server whose conversions the test leads. */
import { randomUUID } from "node:crypto";
import { beforeAll } from "vitest";
import type { Job } from "../../../common/job.ts";
import { leadConversions, STAND_IN, type LedConversion, type LedConversions } from "./led-conversion.ts";
import { startTestServer, type TestDevice, type TestServer } from "./test-server.ts";

/** Where a test begins conversions. */
export interface EarlyPlace {
  readonly server: TestServer;
  readonly device: TestDevice;
  readonly conversions: LedConversions;
}

export interface BegunConversion {
  readonly job: Job;
  readonly url: string;
  readonly led: LedConversion;
  readonly path: string;
}

export const isOffered = (job: Job): boolean => job.status === "processing" && job.downloadUrl !== undefined;

/** Starts one server for the tests of a file, at the top of it. @param sizeBytes of each file */
export function earlyDownloadsForTests(sizeBytes: number) {
  const conversions = leadConversions(sizeBytes);
  // Filled before the first test.
  const place = { conversions } as EarlyPlace;
  beforeAll(async () => {
    const options = { hasExtractor: false, WORKER_CONCURRENCY: "32" };
    const server = await startTestServer(options, undefined, conversions.convert);
    Object.assign(place, { server, device: await server.newDevice() });
    return () => server[Symbol.asyncDispose]();
  });

  async function begin(at = place): Promise<BegunConversion> {
    const url = `${at.server.site.urlOf("rain")}/${randomUUID()}`;
    const job = await at.device.convert(url);
    return { job, url, led: await at.conversions.next(url), path: `/api/conversions/${job.id}/file` };
  }

  /** Begins a conversion and makes half of its file. */
  async function beginHalf(at = place): Promise<BegunConversion> {
    const begun = await begin(at);
    const live = await at.device.live();
    await begun.led.writeTo(sizeBytes / 2);
    await live.until(begun.job.id, isOffered);
    return begun;
  }

  /** Like {@link beginHalf}, of a file whose size is sure beforehand. @param statedBytes that size */
  async function beginSized(statedBytes = sizeBytes): Promise<BegunConversion> {
    const begun = await begin();
    const live = await place.device.live();
    await begun.led.writeTo(sizeBytes / 2, { standIn: STAND_IN, sizeBytes: statedBytes });
    await live.until(begun.job.id, isOffered);
    return begun;
  }

  const get = (path: string, headers: Record<string, string> = {}): Promise<Response> =>
    place.device.call("GET", path, undefined, headers);
  const untilStatus = async ({ id }: Job, ...statuses: Job["status"][]): Promise<Job> =>
    (await place.device.live()).untilStatus(id, ...statuses);

  return { place, conversions, begin, beginHalf, beginSized, get, untilStatus };
}

export async function bytesOf(answer: Response): Promise<Buffer> {
  return Buffer.from(await answer.arrayBuffer());
}

/** Reads a part of an answer, chunk by chunk. */
export class PartReader {
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;
  readonly #chunks: Uint8Array[] = [];
  #count = 0;

  constructor({ body }: Response) {
    if (!body) throw new Error("the answer has no body");
    this.#reader = body.getReader();
  }

  /** @returns all bytes so far, once there are as many, or at the end */
  async readTo(count: number): Promise<Buffer> {
    while (this.#count < count) {
      const { done, value } = await this.#reader.read();
      if (done) break;
      this.#chunks.push(value);
      this.#count += value.length;
    }
    return Buffer.concat(this.#chunks);
  }
}
