/** The bytes of a WebSocket whose client then does what no library would: it reads nothing, or answers nothing. */

/** Header lines that ask for a WebSocket. The server takes any key of 16 bytes. */
export const WEB_SOCKET_UPGRADE: readonly string[] = [
  "Connection: Upgrade",
  "Upgrade: websocket",
  "Sec-WebSocket-Version: 13",
  `Sec-WebSocket-Key: ${Buffer.alloc(16).toString("base64")}`,
];

/** A frame with the text "40", which joins Socket.IO. The mask is all zeros. */
export const JOIN_FRAME: Buffer = Buffer.from([0x81, 0x82, 0, 0, 0, 0, 0x34, 0x30]);
