import { expect, it } from "vitest";
import { fakeApi } from "../testing/fake-api.ts";
import { outboxScript, requests } from "./requests.ts";

const INPUT = { youtubeUrl: "https://youtu.be/a", format: "mp3" } as const;

it("a conversion that is canceled before the outbox is loaded is not requested", async () => {
  const controller = new AbortController();
  const conversion = requests.createConversion(INPUT, controller.signal);
  controller.abort();
  await expect(conversion).rejects.toMatchObject({ name: "AbortError" });
  expect(await outboxScript.load()).not.toBeNull();
  expect(fakeApi.bodies("POST /api/conversions")).toEqual([]);
});
