import { expect, it } from "vitest";
import { domainForTests } from "../../dev/testing/test-domain.ts";
import { setIntake, watchIntake } from "./intake.ts";

const HOUR_MS = 3_600_000;

const domain = domainForTests();

it("takes no job from the moment it hears of a change, until it knows what has changed", async () => {
  const told: boolean[] = [];
  const fail = (error: unknown) => expect.unreachable(String(error));
  const watch = await watchIntake(domain, HOUR_MS, (isPaused) => told.push(isPaused), fail);
  expect(told).toEqual([false]);
  domain.bus.publish("intake:changed", {});
  await expect.poll(() => told).toEqual([false, true, false]);
  await setIntake(domain, true, "user");
  await expect.poll(() => told).toEqual([false, true, false, true, true]);
  await watch.stop();
});
