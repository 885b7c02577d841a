import { expect, it } from "vitest";
import { firstLinkIn, linksIn, namesList } from "./links.ts";

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

it.each([
  [`${B}&list=PLaaaaaaaa`, true],
  ["youtu.be/aqz-KE-bpKQ?list=OLAK5uy_aaaa", true],
  ["https://music.youtube.com/watch?v=1&list=RDCLAK5uy_aaaa", true],
  [B, false],
  [`${B}&list=`, false],
  [`${B}&list=a%20b`, false],
  ["https://example.com/watch?v=1&list=PLaaaaaaaa", false],
  ["cats", false],
  // What only the visitor's own account has.
  [`${B}&list=WL`, false],
  [`${B}&list=RDaqz-KE-bpKQ&start_radio=1`, false],
])("namesList says of %j: %j", (link, isNamed) => expect(namesList(link)).toBe(isNamed));
