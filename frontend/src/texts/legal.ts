/** Structure of a legal page. */
export interface LegalSection {
  /** Id of the anchor; the same in all languages, so that links to it keep working. */
  readonly id: string;
  readonly title: string;
  readonly paragraphs: readonly string[];
  readonly points?: readonly string[];
}

export interface LegalText {
  readonly title: string;
  readonly description: string;
  readonly dated: (date: string) => string;
  readonly contents: string;
  /** Says in a translation which text is binding; empty in English. */
  readonly note: string;
  readonly lead: string;
  readonly sections: readonly LegalSection[];
}
