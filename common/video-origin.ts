/** Where a video comes from, as its extraction finds out. The pipeline reports it, and the block list is asked about it. */
export interface VideoOrigin {
  /** Site and its id, such as `youtube:dQw4w9WgXcQ`; absent where the site gives none. */
  readonly videoId?: string | undefined;
  /** Such as `youtube:UC…` and `youtube:@name`. */
  readonly channelIds: readonly string[];
  /** Of the page, after redirects, and of the media. */
  readonly hosts: readonly string[];
}
