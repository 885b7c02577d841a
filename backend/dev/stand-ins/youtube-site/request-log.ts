/** The requests that the YouTube-shaped site received, in order. */
export type RequestKind =
  "page" | "list" | "player" | "script" | "media" | "picture" | "subtitles" | "config" | "token" | "other";

export interface SiteRequest {
  readonly kind: RequestKind;
  readonly status: number;
  /** When it came and when it was answered, in milliseconds since 1970. */
  readonly fromMs: number;
  readonly toMs: number;
  readonly host: string;
  /** Of the exit through which it came. */
  readonly exit: string;
  readonly videoId?: string;
  /** Name of the player's client, such as "VISIONOS". */
  readonly client?: string;
  /** Format of media, with the tags of its variant: "140", "140 drc=1". */
  readonly format?: string;
  /** Why media was refused. */
  readonly reason?: string;
  readonly cookie?: string;
}
