/** @returns a box of an MP4 with its header */
export function box(type: string, ...bodies: readonly Buffer[]): Buffer {
  const body = Buffer.concat(bodies);
  const header = Buffer.alloc(8);
  header.writeUInt32BE(body.length + 8);
  header.write(type, 4, "latin1");
  return Buffer.concat([header, body]);
}
