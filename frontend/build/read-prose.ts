/** Reads the Markdown of a long text: help, terms, privacy. */
import { marked, type Token, type Tokens } from "marked";
import { parse } from "yaml";
import { z } from "zod";
import type { Prose, ProseSection } from "../src/texts/prose.ts";

const FRONT_MATTER = /^---\n([^]*?)\n---\n/;
const Texts = z.strictObject({
  title: z.string(),
  description: z.string(),
  dated: z.string().default(""),
  contents: z.string().default(""),
  note: z.string().default(""),
});
/** A heading with the id of its anchor: "Cookies {#cookies}". */
const HEADING = /^(.*?)(?: \{#([a-z-]+)\})?$/;

/**
 * @param source front matter with short texts, a lead, and sections (`##`) of paragraphs, points or questions (`###`)
 * @throws Error for anything else, because a page would leave it out
 */
export function readProse(source: string): Prose {
  const [frontMatter = "", yaml = ""] = FRONT_MATTER.exec(source) ?? [];
  const texts = Texts.parse(parse(yaml));
  const sections: ProseSection[] = [];
  let lead = "";
  for (const token of marked.lexer(source.slice(frontMatter.length))) {
    const section = sections.at(-1);
    const question = section?.questions.at(-1);
    if (token.type === "space") continue;
    if (isHeading(token, 2)) sections.push(newSection(token.text));
    else if (isHeading(token, 3) && section) section.questions.push({ question: token.text, answer: "" });
    else if (isParagraph(token) && question) question.answer = `${question.answer} ${oneLine(token)}`.trim();
    else if (isParagraph(token) && section) section.paragraphs.push(oneLine(token));
    else if (isParagraph(token) && lead === "") lead = oneLine(token);
    else if (isList(token) && section) section.points.push(...token.items.map(oneLine));
    else throw new Error(`this is no part of a long text: ${token.raw}`);
  }
  return { texts, lead, sections };
}

function newSection(heading: string): ProseSection {
  const [, title = "", id = ""] = HEADING.exec(heading) ?? [];
  return { id, title, paragraphs: [], points: [], questions: [] };
}

const isHeading = (token: Token, depth: number): token is Tokens.Heading =>
  token.type === "heading" && "depth" in token && token.depth === depth;

const isParagraph = (token: Token): token is Tokens.Paragraph => token.type === "paragraph";

const isList = (token: Token): token is Tokens.List => token.type === "list";

/** The lines of a paragraph are broken for those who write it only. */
const oneLine = ({ text }: { text: string }): string => text.trim().replaceAll(/\s*\n\s*/g, " ");
