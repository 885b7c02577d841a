/** Whether the visitor has asked the browser to save data. Browsers that do not tell count as no. */
export function savesData(): boolean {
  const { connection } = navigator as Navigator & { readonly connection?: { readonly saveData?: boolean } };
  return connection?.saveData === true;
}
