import path from "node:path";
import type { Plugin, ResolvedConfig, Rolldown } from "vite";

export interface WrittenBuild {
  /** Folder of the frontend. */
  readonly root: string;
  /** Folder that the build is written to. */
  readonly outDir: string;
  readonly bundle: Rolldown.OutputBundle;
}

/** A step after a build that did not fail. The steps run one after the other. */
export function afterBuild(name: string, run: (written: WrittenBuild) => Promise<void>): Plugin {
  let config: ResolvedConfig;
  return {
    name,
    apply: "build",
    configResolved(resolved) {
      config = resolved;
    },
    writeBundle: {
      sequential: true,
      order: "post",
      handler: (_, bundle) =>
        run({ root: config.root, outDir: path.resolve(config.root, config.build.outDir), bundle }),
    },
  };
}
