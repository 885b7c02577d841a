import { expect, it } from "vitest";
import { readProse } from "./read-prose.ts";

const HEAD = "---\ntitle: Rules\ndescription: What holds\n---\n\n";

it("reads lead, sections with anchors, paragraphs, points and questions, and joins broken lines", () => {
  const source = `${HEAD}A lead\nof two lines.\n\n## One {#one}\n\nFirst.\n\nSecond.\n\n- a point\n  of two lines\n- {pro.kept}\n\n## Two\n\n### Why?\n\nBecause.\n`;
  expect(readProse(source)).toEqual({
    texts: { title: "Rules", description: "What holds", dated: "", contents: "", note: "" },
    lead: "A lead of two lines.",
    sections: [
      {
        id: "one",
        title: "One",
        paragraphs: ["First.", "Second."],
        points: ["a point of two lines", "{pro.kept}"],
        questions: [],
      },
      { id: "", title: "Two", paragraphs: [], points: [], questions: [{ question: "Why?", answer: "Because." }] },
    ],
  });
});

it.each(["> a quotation", "```\ncode\n```", "# a title", "- a point before the first section"])(
  "refuses what a page would leave out: %s",
  (part) => expect(() => readProse(`${HEAD}Lead.\n\n${part}\n`)).toThrow("this is no part of a long text"),
);
