declare module "*.md" {
  // oxlint-disable-next-line typescript/consistent-type-imports -- an ambient module cannot import another by its path
  const prose: import("./prose.ts").Prose;
  export default prose;
}
