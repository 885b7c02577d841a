/** Conversions for tests of the block list: each makes a small file and a picture, and tells where its video is from. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Job } from "../../../common/job.ts";
import type { VideoOrigin } from "../../../common/video-origin.ts";
import type { Runtime } from "../../runtime/runtime.ts";
import type { TestDevice } from "./test-device.ts";
import { untilAborted } from "./until-aborted.ts";

/** Channel of the links that name one. */
export const CHANNEL = "youtube:UCabcdefghijklmnopqrstuv";

export class BlockableConversions {
  /** Links whose conversions wait until they are aborted. */
  readonly held = new Set<string>();

  /** Makes a small file at once, or waits where the link asks for it. */
  readonly convert: NonNullable<Runtime["convert"]> = async ({ url, folder }, listener, signal) => {
    const origin: VideoOrigin = { channelIds: url.includes("channel") ? [CHANNEL] : [], hosts: ["media.example"] };
    listener.found({ title: url, durationSeconds: 1, origin });
    const picture = join(folder, "thumbnail.jpg");
    await writeFile(picture, "a picture");
    listener.found({ thumbnailPath: picture });
    listener.progress({ stage: "download", percent: 10 });
    if (this.held.has(url)) await untilAborted(signal);
    const path = join(folder, "result.mp3");
    await writeFile(path, "a file");
    return { path, sizeBytes: 6, durationSeconds: 1 };
  };
}

/** Resolves when a new job of the link is completed and its picture is stored. */
export async function completed(device: TestDevice, url: string): Promise<Job> {
  const { id } = await device.convert(url);
  return (await device.live()).until(id, (job) => job.status === "completed" && job.thumbnailUrl !== undefined);
}
