/** Arguments of ffmpeg with which tests make small files. */

/** @param sources descriptions of what ffmpeg draws and plays by itself, each an input */
export const lavfi = (...sources: readonly string[]): string[] =>
  sources.flatMap((source) => ["-f", "lavfi", "-i", source]);

/** Of the encoder of pictures, so that it takes little time. */
export const H264: readonly string[] = ["-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p"];
