import { once } from "node:events";
import { createServer, type AddressInfo, type Server } from "node:net";
import { expect, it } from "vitest";
import { checkExits, ForeignAddressError } from "./check-exits.ts";
import { DIRECT_EXIT, parseExit } from "./exit.ts";

async function listen(server: Server): Promise<string> {
  await once(server.listen(0, "127.0.0.1"), "listening");
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

it("finds nothing wrong with addresses of this machine and the default route", async () => {
  expect(await checkExits([DIRECT_EXIT, parseExit("127.0.0.1"), parseExit("127.0.0.2")])).toEqual([]);
});

it.each(["192.0.2.7", "2001:db8::7"])("refuses %s, which this machine does not have", async (address) => {
  const error: unknown = await checkExits([DIRECT_EXIT, parseExit(address)]).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(ForeignAddressError);
  expect(String(error)).toContain(`${address} is not an address of this machine`);
});

it("names proxies that do not answer, without their credentials", async () => {
  const silent = createServer((socket) => void socket.resume());
  const answering = createServer((socket) => void socket.end("HTTP/1.1 400 Bad Request\r\n\r\n"));
  // Some proxies end a connection that asks for nothing they know.
  const ending = createServer((socket) => void socket.end());
  const exitsOf = (...names: string[]) => names.map((name) => parseExit(`http://ann:secret@${name}`));
  try {
    const [silentName, ...goodNames] = [await listen(silent), await listen(answering), await listen(ending)];
    // Nothing listens there, while a port that was just closed may be given to another test.
    const closedName = "127.0.0.1:9";
    expect(await checkExits(exitsOf(silentName), 100)).toEqual([`the proxy ${silentName} does not answer`]);
    // With patience, so that only the closed one counts as missing on a busy machine.
    expect(await checkExits(exitsOf(closedName, ...goodNames), 240_000)).toEqual([
      `the proxy ${closedName} does not answer`,
    ]);
  } finally {
    for (const server of [silent, answering, ending]) server.close();
  }
});
