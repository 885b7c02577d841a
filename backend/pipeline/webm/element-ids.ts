/** Ids of the elements of a WebM that are read or written here (RFC 9559, section 5.1). */
export const ID = {
  header: 0x1a45_dfa3,
  segment: 0x1853_8067,
  seekHead: 0x114d_9b74,
  info: 0x1549_a966,
  timestampScale: 0x2a_d7b1,
  duration: 0x4489,
  tracks: 0x1654_ae6b,
  track: 0xae,
  trackNumber: 0xd7,
  trackType: 0x83,
  codec: 0x86,
  codecPrivate: 0x63a2,
  encodings: 0x6d80,
  cues: 0x1c53_bb6b,
  cuePoint: 0xbb,
  cueTime: 0xb3,
  cuePositions: 0xb7,
  clusterPosition: 0xf1,
  cluster: 0x1f43_b675,
  timestamp: 0xe7,
  simpleBlock: 0xa3,
  group: 0xa0,
  block: 0xa1,
  padding: 0x75a2,
} as const;

/** Unit of times where a file states none: a millisecond. */
export const USUAL_NANOSECONDS = 1_000_000;
