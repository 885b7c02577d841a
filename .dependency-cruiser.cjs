/**
 * The arrows of the project: common ← domain ← http, realtime, worker ← main.
 * `npm run check:arrows` fails on an import against them.
 */
const only = (name, from, mayReach) => ({
  name,
  severity: "error",
  comment: `${from} may import only itself${mayReach.length ? `, ${mayReach.join(", ")}` : ""} and packages`,
  from: { path: `^${from}/`, pathNot: "\\.test\\.tsx?$" },
  to: { path: "^(common|backend|frontend)/", pathNot: [`^${from}/`, ...mayReach.map((folder) => `^${folder}/`)] },
});

module.exports = {
  forbidden: [
    only("common-is-alone", "common", []),
    {
      name: "common-is-pure",
      severity: "error",
      comment: "common runs in the browser as well: zod and nothing of Node",
      from: { path: "^common/", pathNot: "\\.test\\.ts$" },
      to: { pathNot: ["^common/", "^node_modules/zod/"] },
    },
    only("domain-knows-common", "backend/domain", ["common"]),
    only("pipeline-knows-common", "backend/pipeline", ["common"]),
    only("storage-knows-common", "backend/storage", ["common"]),
    only("http-knows-domain-and-storage", "backend/http", ["common", "backend/domain", "backend/storage"]),
    only("realtime-knows-domain", "backend/realtime", ["common", "backend/domain"]),
    only("worker-drives", "backend/worker", ["common", "backend/domain", "backend/pipeline", "backend/storage"]),
    only("frontend-knows-common", "frontend", ["common"]),
    {
      name: "dev-behind-one-switch",
      severity: "error",
      comment: "what only development needs is reached from main and from tests",
      from: { path: "^(common|backend|frontend)/", pathNot: ["^backend/dev/", "^backend/main\\.ts$", "\\.test\\.tsx?$", "^frontend/e2e/"] },
      to: { path: "^backend/dev/" },
    },
    { name: "no-cycles", severity: "error", from: {}, to: { circular: true, viaOnly: { dependencyTypesNot: ["type-only"] } } },
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    parser: "swc",
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.json" },
    enhancedResolveOptions: { extensions: [".ts", ".tsx", ".js", ".mjs", ".cjs"], exportsFields: ["exports"], conditionNames: ["import", "require", "node", "default"] },
  },
};
