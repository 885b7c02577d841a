/**
 * Appends an ID3 tag to a WAV or an AIFF, as taggers do: the texts that ffmpeg writes into a WAV, and reads there, have no
 * stated encoding, and neither file gets a picture.
 */
import { openToChange } from "../../tool-files/tool-files.ts";

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
