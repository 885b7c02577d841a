/** Checks that visible texts of components and actions are in the catalogues. */
import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { parseSync } from "vite";
import { expect, it } from "vitest";

const SOURCES = path.join(import.meta.dirname, "..");
const TEXT_ATTRIBUTES = new Set([
  "alt",
  "aria-description",
  "aria-label",
  "aria-roledescription",
  "data-tip",
  "label",
  "placeholder",
  "title",
]);
const TEXT_PROPERTIES = new Set(["title", "description"]);
/** Names that are the same in every language. */
const NAMES = new Set(["Tapedeck", "MP3", "MP4"]);

interface Node {
  readonly type: string;
  readonly [part: string]: unknown;
}

const isNode = (value: unknown): value is Node =>
  typeof value === "object" && value !== null && "type" in value && typeof value.type === "string";

function* partsOf(node: Node): Generator<Node> {
  for (const part of Object.values(node).flat()) if (isNode(part)) yield part;
}

const isReadable = (text: string) => /\p{L}{2}/u.test(text) && !NAMES.has(text.trim());

/** @returns the texts that an expression may evaluate to */
function possibleTexts(node: Node): string[] {
  switch (node.type) {
    case "Literal":
      return typeof node["value"] === "string" ? [node["value"]] : [];
    case "JSXText":
      return [String(node["value"])];
    case "TemplateElement":
      return [(node["value"] as { cooked: string }).cooked];
    case "TemplateLiteral":
    case "JSXExpressionContainer":
      return [...partsOf(node)].flatMap((part) => possibleTexts(part));
    case "ConditionalExpression":
    case "LogicalExpression":
      return [...partsOf(node)]
        .filter((part) => part !== node["test"] && !(node["operator"] === "&&" && part === node["left"]))
        .flatMap((part) => possibleTexts(part));
    default:
      return [];
  }
}

/** @returns the visible texts that are literals in the file */
function bareTexts(node: Node): string[] {
  const own: string[] = [];
  if (node.type === "JSXElement" || node.type === "JSXFragment")
    own.push(...(node["children"] as Node[]).flatMap((child) => possibleTexts(child)));
  const name = isNode(node["name"]) ? String(node["name"]["name"]) : "";
  if (node.type === "JSXAttribute" && TEXT_ATTRIBUTES.has(name) && isNode(node["value"]))
    own.push(...possibleTexts(node["value"]));
  const key = isNode(node["key"]) ? String(node["key"]["name"]) : "";
  if (node.type === "Property" && TEXT_PROPERTIES.has(key) && isNode(node["value"]))
    own.push(...possibleTexts(node["value"]));
  return [...own.filter(isReadable), ...[...partsOf(node)].flatMap((part) => bareTexts(part))];
}

const bareTextsOf = (file: string, source: string) => bareTexts(parseSync(file, source).program as unknown as Node);

it("finds literal texts in a sample", () => {
  const source =
    'const A = () => <b title="One">Two {isOn ? "Three" : `Four ${n}`}{texts.five} <i lang="en">Tapedeck</i></b>; ' +
    'notify({ title: "Six" });';
  expect(bareTextsOf("a.tsx", source)).toEqual(["Two ", "Three", "Four ", "One", "Six"]);
});

it("finds no literal texts in the sources", () => {
  const files = globSync("**/*.{ts,tsx}", { cwd: SOURCES }).filter(
    (file) => !/^(?:texts|testing)\/|\.test\.|sample-jobs/.test(file),
  );
  expect(files.length).toBeGreaterThan(50);
  const bare = files.flatMap((file) =>
    bareTextsOf(file, readFileSync(path.join(SOURCES, file), "utf8")).map((text) => `${file}: ${text}`),
  );
  expect(bare).toEqual([]);
});
