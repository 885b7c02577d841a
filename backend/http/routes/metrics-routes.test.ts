import { once } from "node:events";
import { request, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import Koa from "koa";
import { afterAll, beforeAll, expect, it } from "vitest";
import { metricsRoutes } from "./metrics-routes.ts";

const TOKEN = "a token of the operator";
let port: number;
const resources = new DisposableStack();

beforeAll(async () => {
  const app = new Koa();
  app.silent = true;
  app.use(metricsRoutes({ contentType: "text/plain", render: () => Promise.resolve("figures") }, TOKEN).routes());
  const server = app.listen(0, "127.0.0.1");
  resources.defer(() => void server.close());
  await once(server, "listening");
  ({ port } = server.address() as AddressInfo);
});
afterAll(() => resources.dispose());

/** fetch would tidy the path. */
async function ask(path: string, headers: Readonly<Record<string, string>> = {}): Promise<string> {
  const call = request({ port, host: "127.0.0.1", path, headers: { ...headers } }).end();
  const [answer] = (await once(call, "response")) as [IncomingMessage];
  return text(answer);
}

it("gives the metrics to the token", async () => {
  expect(await ask("/metrics", { authorization: `Bearer ${TOKEN}` })).toBe("figures");
});

it.each(["/metrics", "/metrics/", "//metrics", "/METRICS", "/metrics%2f", "/%6detrics", "/x/../metrics"])(
  "gives nobody else the metrics as %s",
  async (path) => {
    for (const authorization of ["", "Bearer ", "Bearer undefined", `Basic ${TOKEN}`])
      expect(await ask(path, { authorization })).not.toContain("figures");
  },
);
