/** The package names its program in this file; it has no types of its own. */
declare module "deno/install_api.cjs" {
  const api: {
    /**
     * @returns path of Deno for this machine
     * @throws Error when the package has none
     */
    runInstall(): string;
  };
  export default api;
}
