import { expect, it } from "vitest";
import { parseHostList } from "../../../common/hosts.ts";
import { hostRule } from "../../../common/links/host-rule.ts";
import { homeWithLink } from "./link-in-path.ts";

const ID = "dQw4w9WgXcQ";
const accepts = hostRule(parseHostList("youtube.com,youtu.be,video.example"));

/** @returns the link and the format that the home page gets */
function found(target: string): unknown {
  const home = homeWithLink(target, accepts);
  return home === undefined ? undefined : Object.fromEntries(new URL(home, "https://tapedeck.example").searchParams);
}

it.each([
  [`/https://youtu.be/${ID}`, { url: `https://youtu.be/${ID}` }],
  [`/https:/youtu.be/${ID}`, { url: `https://youtu.be/${ID}` }],
  [`/http://www.youtube.com/watch?v=${ID}&t=30`, { url: `http://www.youtube.com/watch?v=${ID}&t=30` }],
  [`/https%3A%2F%2Fyoutu.be%2F${ID}`, { url: `https://www.youtube.com/watch?v=${ID}` }],
  [`/youtu.be/${ID}`, { url: `https://youtu.be/${ID}` }],
  [`//youtu.be/${ID}`, { url: `https://youtu.be/${ID}` }],
  [`/m.youtube.com/watch?v=${ID}`, { url: `https://m.youtube.com/watch?v=${ID}` }],
  [`/watch?v=${ID}`, { url: `https://www.youtube.com/watch?v=${ID}` }],
  [`/watch?v=${ID}&f=mp4`, { url: `https://www.youtube.com/watch?v=${ID}`, format: "mp4" }],
  [`/watch?f=flac&v=${ID}`, { url: `https://www.youtube.com/watch?v=${ID}`, format: "flac" }],
  [`/shorts/${ID}?f=mp3`, { url: `https://www.youtube.com/shorts/${ID}`, format: "mp3" }],
  [`/live/${ID}`, { url: `https://www.youtube.com/live/${ID}` }],
  [
    "/playlist?list=PLrAXtmErZgOeiKm4sgNOknGvNjby9efdf",
    { url: "https://www.youtube.com/playlist?list=PLrAXtmErZgOeiKm4sgNOknGvNjby9efdf" },
  ],
  ["/https://video.example/clip.mp4", { url: "https://video.example/clip.mp4" }],
  ["/video.example/post/7?f=unknown", { url: "https://video.example/post/7?f=unknown" }],
])("finds in %s the link %j", (target, expected) => {
  expect(found(target)).toEqual(expected);
});

it.each([
  "/",
  "/help",
  "/watch",
  "/watch?v=",
  "/no/such/place",
  "/https://other.example/a",
  "/https://192.168.0.1/a",
  "/assets/app-1a2b.js",
  "/favicon.svg",
  "/youtu.be",
  "/?url=https://youtu.be/x",
  "/https://",
  `/https://youtu.be/${"a".repeat(5_000)}`,
])("finds no link in %s", (target) => {
  expect(found(target)).toBeUndefined();
});

it("leads to the home page of this site and nowhere else", () => {
  expect(homeWithLink(`/https://youtu.be/${ID}`, accepts)).toMatch(/^\/\?url=/);
});
