/**
 * A copy of an MP4 in fragments, for readers who want it while it is made.
 *
 * **Decision.** The kept MP4 gets its index last, so its bytes cannot be played before. A fragmented copy is made by a
 * second ffmpeg, and only once somebody asks for it. It reads the same fetched files from their beginning, so nothing is
 * missing. Where nobody asks, it costs nothing. The copy of ten minutes of 720p (101 MB) took ffmpeg 0.6 CPU seconds.
 * Only streams that are copied are offered, since copying runs as fast as fetching; a picture that is encoded would have
 * to be encoded twice. The copy has no cover, for which ffmpeg writes a track without a codec into fragments.
 *
 * **Weighed.** ffmpeg's "tee" writes both files from the same packets, but makes each conversion write twice as many
 * bytes, and knows neither chapters nor a size limit. Making the kept file of the fragments needs a second pass over
 * all bytes.
 */
import { ConversionError } from "../../../common/errors.ts";
import type { EarlyCopy } from "../conversion.ts";
import type { GrowingFile } from "../fetch/growing-file.ts";
import { writeAt } from "../mp3/write-at.ts";
import type { Pipeline } from "../pipeline.ts";
import { chaptersOfResult } from "../probe/chapters.ts";
import { pipeName, readFfmpeg } from "../process/ffmpeg.ts";
import { writeChapters } from "./chapter-input.ts";
import { encodeArgs, type Encode } from "./encode.ts";
import { feedFrom } from "./growing-feed.ts";

/**
 * Whether the copy would have all that the result has. Subtitles are left to the kept file: the first fragment would wait
 * for the first of them.
 */
export function canBeCopiedEarly({ plan, subtitles }: Encode): boolean {
  return plan.format === "mp4" && plan.video.method === "copy" && plan.audio?.method !== "encode" && !subtitles;
}

/** @param growing the sources of the encode, while they are fetched or after that */
export function earlyCopyOf(pipeline: Pipeline, encode: Encode, growing: readonly GrowingFile[]): EarlyCopy {
  const path = `${encode.outputPath}.early`;
  return {
    path,
    async make(output, onBytes, signal) {
      const { plan, tags, maxFileBytes } = encode;
      const chapterPath = await writeChapters(path, chaptersOfResult(tags.chapters, plan));
      const inputs = growing.map((file, position) => ({ name: pipeName(position), feed: feedFrom(file) }));
      const args = encodeArgs(
        { ...encode, cover: undefined, chapterPath, outputPath: "pipe:1", isFragmented: true },
        pipeline.limits.maxPixels,
        inputs,
      );
      const feeds = inputs.map(({ feed }) => feed);
      let sizeBytes = 0;
      const onChunk = async (chunk: Buffer): Promise<void> => {
        await writeAt(output, chunk, sizeBytes);
        sizeBytes += chunk.length;
        onBytes(sizeBytes);
      };
      await readFfmpeg({ pipeline, signal }, args, path, onChunk, feeds);
      // ffmpeg ends at the limit as if that were the end.
      if (sizeBytes > maxFileBytes)
        throw new ConversionError("too_large", { detail: `${sizeBytes} bytes in fragments` });
      return sizeBytes;
    },
  };
}
