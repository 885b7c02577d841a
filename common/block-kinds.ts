/** What an operator can block. */
import { z } from "zod";

export const BlockKind = z.enum(["host", "video", "channel", "network", "device", "user"]);
export type BlockKind = z.infer<typeof BlockKind>;

/** Kinds that are about a video and not about a visitor. Blocking one deletes its stored copies. */
const VIDEO_KINDS: ReadonlySet<BlockKind> = new Set(["host", "video", "channel"]);

export function isAboutVideos(kind: BlockKind): boolean {
  return VIDEO_KINDS.has(kind);
}
