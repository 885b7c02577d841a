/** What a legal page is made of. */
export interface LegalSection {
  /** Of its anchor; the same in all languages, so that a link to it stays good. */
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
  /** For languages into which it was translated: which text counts. Empty in English. */
  readonly note: string;
  readonly lead: string;
  readonly sections: readonly LegalSection[];
}
