/** Connections below the sockets, which have not said yet whose they are. */
import { WebSocket } from "undici";
import type { TestServer } from "./test-server.ts";

export function openUnidentified({ origin }: TestServer, cookie: string, address: string): WebSocket {
  const url = `${origin.replace("http", "ws")}/socket.io/?EIO=4&transport=websocket`;
  return new WebSocket(url, { headers: { cookie, "x-forwarded-for": address } });
}

/** The packet that joins the namespace of our page, in the protocol of Socket.IO. */
const CONNECT = "40";

/** @returns "open" once the server has identified the connection, "refused" otherwise */
export async function identified(socket: WebSocket): Promise<string> {
  return new Promise((resolve) => {
    for (const end of ["error", "close"] as const) socket.addEventListener(end, () => resolve("refused"));
    socket.addEventListener("open", () => socket.send(CONNECT));
    socket.addEventListener("message", ({ data }) => String(data).startsWith(CONNECT) && resolve("open"));
  });
}
