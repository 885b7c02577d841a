import { expect, it } from "vitest";
import { podcastLink } from "./podcast-link.ts";

it.each([
  ["Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X)", "https://tapedeck.example/feed?key=a", "podcast"],
  ["Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)", "https://tapedeck.example/feed?key=a", "podcast"],
  ["Mozilla/5.0 (Linux; Android 15; Pixel 9)", "https://tapedeck.example/feed?key=a", "pcast"],
  ["Mozilla/5.0 (X11; Linux x86_64)", "http://tapedeck.example/feed?key=a", "pcast"],
])("%s opens %s by %s:", (userAgent, address, scheme) => {
  expect(podcastLink(address, { userAgent })).toBe(`${scheme}://tapedeck.example/feed?key=a`);
});
