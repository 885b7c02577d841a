/**
 * The program that runs YouTube's scripts. Deno gives a script no network, no files, no environment and no further
 * programs unless it is told to, and needs no feature of the kernel for it. Node's permission model was weighed: up to
 * release 24 it leaves the network open.
 */
import deno from "deno/install_api.cjs";

/** @returns the path of Deno; undefined on a machine that Deno does not run on */
export function findScriptRuntime(): string | undefined {
  try {
    return deno.runInstall();
  } catch {
    // The package throws for machines it has no program for.
    return undefined;
  }
}
