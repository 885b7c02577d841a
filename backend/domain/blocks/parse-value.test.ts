import { describe, expect, it } from "vitest";
import { parseHostList } from "../../../common/hosts.ts";
import type { BlockKind } from "../../../common/block-kinds.ts";
import { BlockValueError, parseBlockValue } from "./parse-value.ts";

const context = {
  siteHost: "www.tapedeck.example",
  videoHosts: parseHostList("youtube.com,youtu.be,localhost:8090,samples.example:8090"),
};
const parse = (kind: BlockKind, text: string) => parseBlockValue(kind, text, context);
const DEVICE = "1b4e28ba-2fa1-4d2a-883f-0016d3cca427";
const CHANNEL = "UCabcdefghijklmnopqrstuv";

describe("parseBlockValue", () => {
  it.each<[BlockKind, string, string]>([
    ["host", " Videos.Example. ", "videos.example"],
    ["host", "bücher.example", "xn--bcher-kva.example"],
    ["host", "203.0.113.7", "203.0.113.7"],
    ["host", "[2001:DB8::1]", "2001:db8::1"],
    ["host", "youtube.com", "youtube.com"],
    ["video", "youtube:dQw4w9WgXcQ", "youtube:dQw4w9WgXcQ"],
    ["video", "YouTube:dQw4w9WgXcQ", "youtube:dQw4w9WgXcQ"],
    ["video", "dQw4w9WgXcQ", "youtube:dQw4w9WgXcQ"],
    ["video", "https://youtu.be/dQw4w9WgXcQ?si=x", "youtube:dQw4w9WgXcQ"],
    ["video", "http://localhost:8090/watch/rain", "http://localhost:8090/watch/rain"],
    ["video", "https://videos.example/v?id=7&utm_source=x#t", "https://videos.example/v?id=7"],
    ["video", "vimeo:123", "vimeo:123"],
    ["channel", `youtube:${CHANNEL}`, `youtube:${CHANNEL}`],
    ["channel", "youtube:@Some.Name", "youtube:@some.name"],
    ["channel", `https://www.youtube.com/channel/${CHANNEL}/videos`, `youtube:${CHANNEL}`],
    ["channel", "https://youtube.com/@N%C3%A4me?a=b", "youtube:@näme"],
    ["channel", "vimeo:user5", "vimeo:user5"],
    ["network", "203.0.113.7", "203.0.113.0/24"],
    ["network", "2001:db8:1:2:3::4", "2001:db8:1:2::/64"],
    ["network", "203.0.113.7/32", "203.0.113.7/32"],
    ["network", "203.0.113.77/26", "203.0.113.64/26"],
    ["network", "11.1.1.1/8", "11.0.0.0/8"],
    ["network", "2001:db8::1/16", "2001::/16"],
    ["device", DEVICE.toUpperCase(), DEVICE],
    ["user", "Some.One@Example.org", "some.one@example.org"],
    ["user", DEVICE, DEVICE],
  ])("reads the %s %s as %s", (kind, text, value) => {
    expect(parse(kind, text)).toBe(value);
  });

  it.each<[BlockKind, string, RegExp]>([
    ["host", "", /which host/],
    ["host", "https://videos.example/", /not a host/],
    ["host", "videos.example:8080", /not a host/],
    ["host", "com", /covers all hosts/],
    ["host", "*.example.org", /not a host/],
    ["host", "localhost", /of your own/],
    ["host", "samples.example", /of your own/],
    ["host", "www.tapedeck.example", /host of this site/],
    ["host", "tapedeck.example", /host of this site/],
    ["video", "rain", /no site or no id/],
    ["video", "youtube:", /no site or no id/],
    ["video", "youtube:dQw4w9WgXc", /11 letters/],
    ["video", "generic:rain", /Give the link/],
    ["video", "https://me:secret@videos.example/v", /not the link of a video/],
    ["video", "https://youtube.com/playlist?list=PL1", /not the link of a video/],
    ["video", "ftp://youtube.com/v", /no site or no id/],
    ["channel", "youtube:dQw4w9WgXcQ", /UC and 22/],
    ["channel", `youtube:${CHANNEL}x`, /UC and 22/],
    ["channel", "https://youtube.com/@%ff", /cannot be read/],
    ["network", "0.0.0.0/0", /too many visitors/],
    ["network", "11.0.0.0/7", /too many visitors/],
    ["network", "::/0", /too many visitors/],
    ["network", "2001::/15", /too many visitors/],
    ["network", "203.0.113.0/33", /not a network/],
    ["network", "203.0.113", /not an address/],
    ["network", "300.0.113.1/24", /not a network/],
    ["network", "127.0.0.1", /this machine/],
    ["network", "::1/128", /this machine/],
    ["network", "::ffff:203.0.113.0/120", /Write it as IPv4/],
    ["network", "somebody", /not an address/],
    ["device", "42", /not the id of a device/],
    ["user", "somebody", /neither an email/],
  ])("refuses the %s %j with a sentence that says what to write", (kind, text, message) => {
    expect(() => parse(kind, text)).toThrow(BlockValueError);
    expect(() => parse(kind, text)).toThrow(message);
  });
});
