/** Random conversations with the socket server: packets of Engine.IO and Socket.IO, and frames below them. */
import * as fc from "fast-check";
import type { WebSocketFrame } from "./websocket-frames.ts";

/** Whose cookies the handshake carries. */
type Cookies = "own" | "other" | "forged" | "none";

export type PollingStep =
  | { readonly kind: "post"; readonly payload: string | Uint8Array }
  | { readonly kind: "poll" }
  | { readonly kind: "method"; readonly method: string }
  /** Several upgrades at the same time race for the session. */
  | { readonly kind: "upgrade"; readonly sockets: number; readonly frames: readonly WebSocketFrame[] };

export type Conversation =
  | {
      readonly transport: "websocket";
      readonly cookies: Cookies;
      readonly frames: readonly WebSocketFrame[];
      readonly ending: "close" | "reset";
    }
  | { readonly transport: "polling"; readonly cookies: Cookies; readonly steps: readonly PollingStep[] };

const deep = (open: string, close: string) => `${open.repeat(4_000)}${close.repeat(4_000)}`;

/** Packets in the order of what they attack: handshake, types, attachments, acks, events, sizes. */
const PACKETS: readonly string[] = [
  "40",
  "40",
  "40",
  "40/,",
  "40/other,",
  "40{}",
  '40{"pid":"x","offset":"y"}',
  '40{"pid":{"$gt":""},"offset":{"length":1}}',
  '40{"pid":"__proto__","offset":"constructor"}',
  '40{"pid":["x"],"offset":1e308}',
  "40[",
  "40null",
  '40{"token":"\\ud800"}',
  "41",
  "41/other,",
  "44",
  '44{"message":"x"}',
  "0",
  '0{"sid":"x","upgrades":[],"pingInterval":1,"pingTimeout":1}',
  "1",
  "2",
  "2probe",
  "3",
  "3probe",
  "5",
  "6",
  "7",
  "9",
  "",
  "b",
  "bAAAA",
  "b%%%",
  "4",
  "47",
  "49[]",
  '42["job",{"id":"x"}]',
  '42["x"]',
  '42["__proto__"]',
  '42["constructor",{}]',
  '42["connect"]',
  '42["connect_error"]',
  '42["disconnect"]',
  '42["disconnecting"]',
  '42["newListener"]',
  '42["removeListener"]',
  "42[]",
  "42[null]",
  "42[1]",
  "42{}",
  '42"x"',
  "42",
  '42["x"',
  '420["x"]',
  '42999999999999999999999999["x"]',
  '42-1["x"]',
  '42/other,["x"]',
  "43[]",
  "430[]",
  '431["x"]',
  "4399999999999999999999[]",
  "43[",
  '451-["x",{"_placeholder":true,"num":0}]',
  '451-["x",{"_placeholder":true,"num":7}]',
  '45-1-["x"]',
  '4599999999-["x",{"_placeholder":true,"num":0}]',
  "45",
  '450-["x"]',
  '461-["x",{"_placeholder":true,"num":0}]',
  '451-1["x",{"_placeholder":true,"num":"__proto__"}]',
  `42["x",${deep("[", "]")}]`.slice(0, 9_900),
  `42["x",${deep("[", "]")}]`,
  `42["x","${"a".repeat(9_000)}"]`,
  `42["x","${"a".repeat(20_000)}"]`,
  `4${"2".repeat(9_000)}`,
  `42["${"\\u0000".repeat(1_000)}"]`,
  `40/${"n".repeat(9_000)},`,
];

const socketPacket = fc
  .tuple(
    fc.constantFrom("40", "42", "42", "42", "43", "451-", "462-"),
    fc.constantFrom("", "", "/other,"),
    fc.constantFrom("", "0", "12"),
    fc.oneof(
      fc.json({ maxDepth: 4 }),
      fc.array(fc.jsonValue({ maxDepth: 3 })).map((value) => JSON.stringify(value)),
    ),
  )
  .map((parts) => parts.join(""));

const packet: fc.Arbitrary<string> = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...PACKETS) },
  { weight: 3, arbitrary: socketPacket },
  { weight: 1, arbitrary: fc.string({ unit: "binary", maxLength: 60 }) },
);

const textFrame: fc.Arbitrary<WebSocketFrame> = packet.map((payload) => ({ opcode: 1, payload }));
const bytes = fc.uint8Array({ maxLength: 200 });

const frame: fc.Arbitrary<WebSocketFrame> = fc.oneof(
  { weight: 20, arbitrary: textFrame },
  { weight: 3, arbitrary: bytes.map((payload) => ({ opcode: 2, payload })) },
  { weight: 1, arbitrary: bytes.map((payload) => ({ opcode: 1, payload })) },
  // A part of a message whose rest comes never, or without a beginning.
  { weight: 1, arbitrary: packet.map((payload) => ({ opcode: 1, payload, isFinal: false })) },
  { weight: 1, arbitrary: packet.map((payload) => ({ opcode: 0, payload })) },
  {
    weight: 2,
    arbitrary: fc.tuple(fc.constantFrom(8, 9, 10), bytes).map(([opcode, payload]) => ({ opcode, payload })),
  },
  {
    weight: 1,
    arbitrary: fc.tuple(fc.nat(15), bytes).map(([opcode, payload]) => ({ opcode, payload, isFinal: false })),
  },
  { weight: 1, arbitrary: packet.map((payload) => ({ opcode: 1, payload, isMasked: false })) },
  { weight: 1, arbitrary: packet.map((payload) => ({ opcode: 1, payload, reservedBits: 4 })) },
  {
    weight: 1,
    arbitrary: fc
      .constantFrom(5_000n, 1n << 20n, 1n << 40n, (1n << 63n) - 1n, (1n << 64n) - 1n)
      .map((declaredLength) => ({ opcode: 1, payload: "42", declaredLength })),
  },
);

const cookies = fc.constantFrom<Cookies>("own", "own", "own", "own", "other", "forged", "none");
const CONNECT: WebSocketFrame = { opcode: 1, payload: "40" };
const frames = fc
  .tuple(fc.boolean(), fc.array(frame, { minLength: 1, maxLength: 16 }))
  // Half of them connect first, so that events reach a socket.
  .map(([isConnected, list]) => (isConnected ? [CONNECT, ...list] : list));

const step: fc.Arbitrary<PollingStep> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc
      .oneof(
        { weight: 4, arbitrary: fc.array(packet, { maxLength: 4 }).map((packets) => packets.join("\u001e")) },
        { weight: 1, arbitrary: bytes },
      )
      .map((payload) => ({ kind: "post", payload }) as const),
  },
  { weight: 3, arbitrary: fc.constant({ kind: "poll" } as const) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant("method"),
      method: fc.constantFrom("DELETE", "PATCH", "TRACE", "PUT", "OPTIONS", "HEAD"),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant("upgrade"),
      sockets: fc.integer({ min: 1, max: 3 }),
      frames: fc
        .array(
          fc.oneof(
            textFrame,
            fc.constantFrom("2probe", "5").map((payload) => ({ opcode: 1, payload })),
          ),
          {
            maxLength: 4,
          },
        )
        .map((list) => [{ opcode: 1, payload: "2probe" }, ...list]),
    }),
  },
);

export const arbitraryConversation: fc.Arbitrary<Conversation> = fc.oneof(
  {
    weight: 2,
    arbitrary: fc.record({
      transport: fc.constant("websocket"),
      cookies,
      frames,
      ending: fc.constantFrom("close", "reset"),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      transport: fc.constant("polling"),
      cookies,
      steps: fc.array(step, { minLength: 1, maxLength: 8 }),
    }),
  },
);
