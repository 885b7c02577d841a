/** Makes the video's picture at the same time as the conversion. */
import type { ConversionWork } from "../conversion.ts";
import type { VideoInfo } from "../probe/info.ts";
import { makePicture } from "./picture.ts";

/** Starts to fetch the picture. Disposing of it aborts the work and waits until it has ended. */
export class PictureTask implements AsyncDisposable {
  /** Resolves with undefined when the video has no picture. */
  readonly coverPath: Promise<string | undefined>;
  readonly #abort = new AbortController();

  /** The listener is told of the small picture. */
  constructor(work: ConversionWork, info: VideoInfo) {
    const { request, listener } = work;
    const bounded = AbortSignal.any([work.signal, this.#abort.signal]);
    this.coverPath = makePicture({ ...work, signal: bounded }, info, request.folder).then((picture) => {
      if (picture) listener.found({ thumbnailPath: picture.thumbnailPath });
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
