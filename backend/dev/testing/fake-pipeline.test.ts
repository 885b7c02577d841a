import { vi } from "vitest";
import { describeLookups } from "../../worker/lookups.contract.ts";
import { FakePipeline } from "./fake-pipeline.ts";

const linkOf = (name: string): string => `https://video.example/${name}`;
const [video, list, held] = [linkOf("video"), linkOf("list"), linkOf("held")];
const fake = new FakePipeline();
fake.videos.set(video, { title: "Rain", durationSeconds: 24 }).set(held, "held");
const entries = ["a", "b", "c"].map((name) => ({ link: linkOf(name), title: name }));
fake.lists.set(list, { title: "Rain of a year", entries }).set(held, "held");

describeLookups(() => ({
  lookups: fake.lookups,
  video,
  list,
  gone: linkOf("gone"),
  held,
  untilHeld: (count) => vi.waitUntil(() => fake.reads.filter((link) => link === held).length === count),
}));
