/** Reads the frame count that the header of an MP3 states: "Xing" or "Info" (LAME), or "VBRI" (Fraunhofer). */
import { openFile } from "../../tool-files/tool-files.ts";

const ID3_HEADER_BYTES = 10;
/** Largest offset in the first frame: after the frame header, a checksum and the longest side information. */
const MAX_OFFSET = 4 + 2 + 32;
const READ_BYTES = MAX_OFFSET + 18;
const HAS_FRAME_COUNT = 0x1;

/** @returns number of frames, or undefined when no header states it */
export async function readMp3FrameCount(path: string): Promise<number | undefined> {
  await using file = await openFile(path);
  const id3 = (await file.read(Buffer.alloc(ID3_HEADER_BYTES), 0, ID3_HEADER_BYTES, 0)).buffer;
  const isTagged = id3.toString("latin1", 0, 3) === "ID3";
  // The size of the tag has seven bits in each byte (ID3v2.3, section 3.1).
  const start = isTagged ? ID3_HEADER_BYTES + id3.subarray(6).reduce((sum, byte) => sum * 128 + (byte & 0x7f), 0) : 0;
  const frame = (await file.read(Buffer.alloc(READ_BYTES), 0, READ_BYTES, start)).buffer;
  const at = Math.max(frame.indexOf("Xing"), frame.indexOf("Info"));
  if (at >= 0 && at <= MAX_OFFSET) {
    const flags = frame.readUInt32BE(at + 4);
    return (flags & HAS_FRAME_COUNT) === 0 ? undefined : frame.readUInt32BE(at + 8);
  }
  const vbriAt = frame.indexOf("VBRI");
  return vbriAt >= 0 && vbriAt <= MAX_OFFSET ? frame.readUInt32BE(vbriAt + 14) : undefined;
}
