/** Long texts, which are written in Markdown. Figures stand in them by name: "{pro.kept}". */
import type { Figures } from "./figures.ts";

export interface ProseSection {
  /** Id of the anchor; the same in all languages, so that links to it keep working. Empty without one. */
  readonly id: string;
  readonly title: string;
  readonly paragraphs: string[];
  readonly points: string[];
  readonly questions: { question: string; answer: string }[];
}

/** Short texts; empty where a page has none. */
export interface ProseTexts {
  readonly title: string;
  readonly description: string;
  readonly dated: string;
  readonly contents: string;
  /** Says in a translation which text is binding; empty in English. */
  readonly note: string;
}

export interface Prose {
  readonly texts: ProseTexts;
  readonly lead: string;
  readonly sections: readonly ProseSection[];
}

/** @throws Error when a text names a figure that does not exist; a test reads all of them */
export function withFigures(prose: Prose, figures: Figures): Prose {
  const fill = (text: string): string =>
    text.replaceAll(/\{([^{}]+)\}/g, (_, name: string) => String(figureNamed(figures, name)));
  const { title, description, dated, contents, note } = prose.texts;
  return {
    texts: { title: fill(title), description, dated: fill(dated), contents, note },
    lead: fill(prose.lead),
    sections: prose.sections.map(({ id, title, paragraphs, points, questions }) => ({
      id,
      title: fill(title),
      paragraphs: paragraphs.map(fill),
      points: points.map(fill),
      questions: questions.map(({ question, answer }) => ({ question: fill(question), answer: fill(answer) })),
    })),
  };
}

function figureNamed(figures: Figures, name: string): unknown {
  let value: unknown = figures;
  for (const part of name.split(".")) value = Object(value)[part] as unknown;
  if (typeof value !== "string" && typeof value !== "number") throw new Error(`there is no figure {${name}}`);
  return value;
}
