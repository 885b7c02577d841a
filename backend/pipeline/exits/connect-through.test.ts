import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { expect, it } from "vitest";
import { connectThrough } from "./connect-through.ts";

it("gives up a proxy that never answers, and closes the connection to it", async () => {
  const proxy = createServer().listen(0, "127.0.0.1");
  await once(proxy, "listening");
  try {
    const { port } = proxy.address() as AddressInfo;
    const options = { hostname: "video.example", protocol: "https:", port: "443" };
    const { promise: error, resolve } = Promise.withResolvers<Error | null>();
    const upgrade = (): never => expect.unreachable("there is no tunnel");
    connectThrough(`http://127.0.0.1:${port}`, options, upgrade, (...outcome) => resolve(outcome[0]), 100);
    const [socket] = (await once(proxy, "connection")) as [Socket];
    socket.resume();
    await once(socket, "close");
    expect(await error).toMatchObject({ message: "timed out: the exit does not answer" });
  } finally {
    proxy.close();
  }
});
