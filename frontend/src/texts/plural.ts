/** Forms of a word by number; `other` serves where a language has no form of its own. */
export type Forms = Partial<Record<Intl.LDMLPluralRule, string>> & { readonly other: string };

/** Picks the form by the language's own rules: Arabic has six, German two. */
export function pluralIn(locale: string): (count: number, forms: Forms) => string {
  const rules = new Intl.PluralRules(locale);
  return (count, forms) => forms[rules.select(count)] ?? forms.other;
}
