/** Makes the video's picture at the same time as the conversion. */
import type { Work } from "../conversion.ts";
import type { VideoInfo } from "../probe/info.ts";
import { makePicture } from "./picture.ts";

/** Starts to fetch the picture. Disposing of it aborts the work and waits until it has ended. */
export class PictureTask implements AsyncDisposable {
  /** Resolves with undefined when the video has no picture. */
  readonly coverPath: Promise<string | undefined>;
  readonly #abort = new AbortController();

  /** The listener is told of the small picture. */
  constructor({ pipeline, request, listener, signal }: Work, info: VideoInfo) {
    const bounded = AbortSignal.any([signal, this.#abort.signal]);
    this.coverPath = makePicture(pipeline, info, request.folder, bounded).then((picture) => {
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
