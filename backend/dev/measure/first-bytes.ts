/** Measures from the request of an MP3 to the first bytes of its file, which is downloaded while it is made. */
import type { Socket } from "socket.io-client";
import { isActive, Job } from "../../../common/job.ts";

const ROUNDS = 10;

export interface FirstBytesCaller {
  readonly origin: string;
  readonly cookie: string;
  readonly socket: Socket;
  readonly call: (path: string, body: object) => Promise<Response>;
}

/** @returns resolves with the first version of a job that matches and is pushed from now on */
function untilPushed(socket: Socket, matches: (job: Job) => boolean): Promise<Job> {
  return new Promise((resolve) => {
    const listen = (message: unknown): void => {
      const job = Job.parse(message);
      if (!matches(job)) return;
      socket.off("job", listen);
      resolve(job);
    };
    socket.on("job", listen);
  });
}

/** @returns milliseconds of each round; the file can be played from these bytes on */
export async function measureFirstBytes(
  link: string,
  { origin, cookie, socket, call }: FirstBytesCaller,
): Promise<number[]> {
  const tookMs: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const offered = untilPushed(socket, (job) => "downloadUrl" in job && job.downloadUrl !== undefined);
    const ended = untilPushed(socket, (job) => !isActive(job.status));
    const beforeMs = performance.now();
    await call("/api/conversions", { youtubeUrl: `${link}?first-bytes=${Date.now()}-${round}`, format: "mp3" });
    const { id } = await offered;
    const { body } = await fetch(`${origin}/api/conversions/${id}/file`, { headers: { cookie } });
    const reader = body?.getReader();
    await reader?.read();
    tookMs.push(performance.now() - beforeMs);
    await reader?.cancel();
    await ended;
  }
  return tookMs;
}
