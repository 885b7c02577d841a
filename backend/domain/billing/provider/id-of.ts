/** @returns the id of a reference to an object of the provider, which may be an id or the expanded object */
export function idOf(reference: string | { readonly id?: string } | null | undefined): string | null {
  return typeof reference === "string" ? reference : (reference?.id ?? null);
}
