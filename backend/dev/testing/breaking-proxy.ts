/** A proxy for tests that breaks a connection in the middle of a download. */
import { once } from "node:events";
import { connect, createServer, type AddressInfo, type Server } from "node:net";

export class BreakingProxy implements AsyncDisposable {
  readonly #server: Server;
  #breaksLeft = 0;
  /** The values of all `Range` headers. */
  readonly ranges: string[] = [];

  private constructor(targetPort: number, breakAfterBytes: number) {
    this.#server = createServer((client) => {
      const target = connect(targetPort, "127.0.0.1");
      let sentBytes = 0;
      client.on("data", (chunk) => {
        for (const [, range = ""] of String(chunk).matchAll(/^range: (.+)\r$/gim)) this.ranges.push(range);
        target.write(chunk);
      });
      target.on("data", (chunk) => {
        sentBytes += chunk.length;
        if (client.writableEnded) return;
        client.write(chunk);
        if (sentBytes < breakAfterBytes || this.#breaksLeft === 0) return;
        this.#breaksLeft -= 1;
        // A reset could take back what the client has not read yet.
        client.end();
      });
      client.on("error", () => target.destroy()).on("close", () => target.destroy());
      target.on("error", () => client.destroy()).on("close", () => client.destroy());
    });
  }

  /** @param breaks how many connections are broken once they have brought so many bytes */
  static async open(targetPort: number, breakAfterBytes: number, breaks: number): Promise<BreakingProxy> {
    const proxy = new BreakingProxy(targetPort, breakAfterBytes);
    proxy.#breaksLeft = breaks;
    proxy.#server.listen(0, "127.0.0.1");
    await once(proxy.#server, "listening");
    return proxy;
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.close();
    await once(this.#server, "close");
  }
}
