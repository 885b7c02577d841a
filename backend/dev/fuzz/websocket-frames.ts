/** Encodes frames of WebSocket (RFC 6455, section 5.2), also those that a client may not send. */

export interface WebSocketFrame {
  /** 0 continues a message, 1 is text, 2 binary, 8 close, 9 ping, 10 pong; the others are reserved. */
  readonly opcode: number;
  readonly payload: string | Uint8Array;
  /** Whether the message ends here; true unless given. */
  readonly isFinal?: boolean;
  /** Frames of a client must be masked; true unless given. */
  readonly isMasked?: boolean;
  /** Three bits that must be 0. */
  readonly reservedBits?: number;
  /** Written in place of the true length. */
  readonly declaredLength?: bigint;
}

/** Any mask is as good as another. */
const MASK = Buffer.from([0x12, 0x34, 0x56, 0x78]);

export function encodeFrame(frame: WebSocketFrame): Buffer {
  const { opcode, isFinal = true, isMasked = true, reservedBits = 0 } = frame;
  const payload = Buffer.from(frame.payload);
  const first = (isFinal ? 0x80 : 0) | (reservedBits << 4) | opcode;
  const length = encodeLength(frame.declaredLength ?? BigInt(payload.length), isMasked);
  const data = isMasked ? Buffer.concat([MASK, payload.map((byte, n) => byte ^ (MASK[n % 4] ?? 0))]) : payload;
  return Buffer.concat([Buffer.from([first]), length, data]);
}

function encodeLength(length: bigint, isMasked: boolean): Buffer {
  const mask = isMasked ? 0x80 : 0;
  if (length < 126n) return Buffer.from([mask | Number(length)]);
  if (length < 1n << 16n) {
    const bytes = Buffer.from([mask | 126, 0, 0]);
    bytes.writeUInt16BE(Number(length), 1);
    return bytes;
  }
  const bytes = Buffer.alloc(9);
  bytes[0] = mask | 127;
  bytes.writeBigUInt64BE(length, 1);
  return bytes;
}
