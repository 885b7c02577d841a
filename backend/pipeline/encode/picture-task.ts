/** Makes the video's picture at the same time as the conversion. */
import type { Pipeline } from "../pipeline.ts";
import type { VideoInfo } from "../probe/info.ts";
import { makePicture } from "./picture.ts";

/** Starts to fetch the picture. Disposing of it aborts the work and waits until it has ended. */
export class PictureTask implements AsyncDisposable {
  /** Resolves with undefined when the video has no picture. */
  readonly coverPath: Promise<string | undefined>;
  readonly #abort = new AbortController();

  /** @param onThumbnail called with the path of the small picture in `folder` */
  constructor(
    pipeline: Pipeline,
    info: VideoInfo,
    folder: string,
    onThumbnail: (path: string) => void,
    signal: AbortSignal,
  ) {
    const bounded = AbortSignal.any([signal, this.#abort.signal]);
    this.coverPath = makePicture(pipeline, info, folder, bounded).then((picture) => {
      if (picture) onThumbnail(picture.thumbnailPath);
      return picture?.coverPath;
    });
    // It may reject before it is awaited.
    this.coverPath.catch(() => undefined);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#abort.abort();
    await Promise.allSettled([this.coverPath]);
  }
}
