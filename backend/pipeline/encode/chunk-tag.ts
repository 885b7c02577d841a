/**
 * Appends an ID3 tag to a WAV or an AIFF, as taggers do: the texts that ffmpeg writes into a WAV, and reads there, have no
 * stated encoding, and neither file gets a picture.
 */
import NodeId3 from "node-id3";
import { openFile, openToChange, readAt } from "../../tool-files/tool-files.ts";

/** Name and size of a chunk; the size counts what follows it. */
const CHUNK_HEADER_BYTES = 8;

interface ChunkForm {
  /** Of the chunk with the tag. */
  readonly name: string;
  readonly readSize: (header: Buffer) => number;
  readonly writeSize: (header: Buffer, size: number) => void;
}

/** By the name of the file's outer chunk. */
const FORMS: Readonly<Record<string, ChunkForm>> = {
  RIFF: {
    name: "id3 ",
    readSize: (header) => header.readUInt32LE(4),
    writeSize: (header, size) => header.writeUInt32LE(size, 4),
  },
  FORM: {
    name: "ID3 ",
    readSize: (header) => header.readUInt32BE(4),
    writeSize: (header, size) => header.writeUInt32BE(size, 4),
  },
};

/**
 * @param tag as ID3v2
 * @throws RangeError when the file is neither, or its header does not state its size
 */
export async function appendTag(path: string, tag: Buffer): Promise<void> {
  await using file = await openToChange(path);
  const { size } = await file.stat();
  const header = Buffer.alloc(CHUNK_HEADER_BYTES);
  await file.read(header, 0, header.length, 0);
  const form = FORMS[header.toString("latin1", 0, 4)];
  if (form?.readSize(header) !== size - CHUNK_HEADER_BYTES)
    throw new RangeError(`${path} is not a WAV or AIFF whose header states its size`);
  // Chunks begin at even positions.
  const chunk = Buffer.alloc(CHUNK_HEADER_BYTES + tag.length + (tag.length % 2));
  chunk.write(form.name, "latin1");
  form.writeSize(chunk, tag.length);
  tag.copy(chunk, CHUNK_HEADER_BYTES);
  await file.write(chunk, 0, chunk.length, size);
  form.writeSize(header, size + chunk.length - CHUNK_HEADER_BYTES);
  await file.write(header, 0, header.length, 0);
}

/** Of a WAV of ours: the sound, the texts before it and the tag behind it. */
const MAX_CHUNKS = 20;
/** Longest tag that is read; it has no picture. */
const MAX_TAG_BYTES = 1_000_000;

/** @returns the artist of the album in the tag of a WAV: ffmpeg does not read it where it has read other texts before */
export async function readAlbumArtist(path: string): Promise<string | undefined> {
  await using file = await openFile(path);
  let position = "RIFFsizeWAVE".length;
  for (let chunk = 0; chunk < MAX_CHUNKS; chunk += 1) {
    const header = await readAt(file, position, CHUNK_HEADER_BYTES);
    if (header.length < CHUNK_HEADER_BYTES) return undefined;
    const size = header.readUInt32LE(4);
    position += CHUNK_HEADER_BYTES;
    if (header.toString("latin1", 0, 4) === FORMS["RIFF"]?.name) {
      const tag = await readAt(file, position, Math.min(size, MAX_TAG_BYTES));
      return NodeId3.read(tag, { include: ["TPE2"], noRaw: true }).performerInfo;
    }
    position += size + (size % 2);
  }
  return undefined;
}
