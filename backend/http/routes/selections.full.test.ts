import { expect, it } from "vitest";
import { SelectionAnswer } from "../../../common/api.ts";
import { ErrorBody } from "../../../common/errors.ts";
import { MAX_LIST_ENTRIES } from "../../../common/lists.ts";
import { ofFile } from "../../dev/testing/of-file.ts";
import { convertWithoutTools } from "../../dev/testing/test-conversion.ts";
import { startTestServer } from "../../dev/testing/test-server.ts";

const server = await ofFile(startTestServer({ hasExtractor: false }, undefined, convertWithoutTools));

it("accepts 5,000 links, and not one more", async () => {
  const device = await server.newDevice();
  await server.signIn(device, { email: "pro@example.com" });
  await server.setTier("pro@example.com", "pro");
  const bodyOf = (count: number) => ({
    title: "Rain of a year",
    format: "mp3",
    urls: Array.from({ length: count }, (_, index) => `${server.site.urlOf("rain")}?most=${index}`),
  });
  const answer = await device.call("POST", "/api/selections", bodyOf(MAX_LIST_ENTRIES));
  expect(answer.status).toBe(201);
  const { batchId, total } = SelectionAnswer.parse(await answer.json());
  expect(total).toBe(MAX_LIST_ENTRIES);
  expect((await device.call("DELETE", `/api/batch-conversions/${batchId}`, {})).status).toBe(200);
  const tooMany = await device.call("POST", "/api/selections", bodyOf(MAX_LIST_ENTRIES + 1));
  expect([tooMany.status, ErrorBody.parse(await tooMany.json()).code]).toEqual([400, "bad_request"]);
});
