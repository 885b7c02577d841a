/** Plural forms of a word; `other` is used where a form is missing. */
export type Forms = Partial<Record<Intl.LDMLPluralRule, string>> & { readonly other: string };

/** Creates a function that selects the plural form by the rules of the locale; Arabic has six forms. */
export function pluralIn(locale: string): (count: number, forms: Forms) => string {
  const rules = new Intl.PluralRules(locale);
  return (count, forms) => forms[rules.select(count)] ?? forms.other;
}
