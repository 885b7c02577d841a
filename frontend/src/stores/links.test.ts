import { expect, it } from "vitest";
import { firstLinkIn, linksIn } from "./links.ts";

const A = "https://youtu.be/aqz-KE-bpKQ";
const B = "https://www.youtube.com/watch?v=1";
const HOSTS = ["localhost:8090"];

it.each([
  ["", []],
  [`  ${A}\n`, [A]],
  [`${A}\r\n${B}`, [A, B]],
  [`${A} ${B} ${A}`, [A, B]],
  [`Watch this: <${A}>, then (${B}).`, [A, B]],
  [`“${A}”!\nhttps://example.com/x`, [A]],
  ["http://localhost:8090/watch/rain?1", ["http://localhost:8090/watch/rain?1"]],
])("linksIn finds in %j the links %j", (text, links) => expect(linksIn(text, HOSTS)).toEqual(links));

it.each([
  [`https://example.com/x ${A}`, A],
  ["look: https://example.com/x", "https://example.com/x"],
  ["nothing to see", null],
])("firstLinkIn finds in %j the link %j", (text, link) => expect(firstLinkIn(text, HOSTS)).toBe(link));
