import { expect, it } from "vitest";
import { startStripeMock } from "./stripe-mock.ts";

it("runs beside another one", async () => {
  const mocks = await Promise.all([startStripeMock(), startStripeMock()]);
  try {
    for (const { port } of mocks) {
      const answer = await fetch(`http://127.0.0.1:${port}/v1/customers`, {
        headers: { authorization: "Bearer sk_test_1" },
      });
      expect(answer.status).toBe(200);
    }
  } finally {
    await Promise.all(mocks.map((mock) => mock.stop()));
  }
});
