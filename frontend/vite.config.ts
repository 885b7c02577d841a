import { fileURLToPath } from "node:url";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";
import { compress } from "./build/compress.ts";
import { globalStyles } from "./build/global-styles.ts";
import { prose } from "./build/prose.ts";
import { prerender } from "./build/prerender.ts";
import { serviceWorker } from "./build/service-worker.ts";
import { smallZod } from "./build/small-zod.ts";
import { tokenNames } from "./build/token-names.ts";
import { withoutUnusedRouter } from "./build/without-unused-router.ts";
import { withoutUnusedStyles } from "./build/without-unused-styles.ts";

/** The default address of `npm start`. */
const SERVER = "http://localhost:3000";

/** Modules that the first scripts of the home page do without, although several other scripts share them. */
const OTHER_PAGES = [
  "(?:actions|api)/(?:account|billing|list)-",
  "outbox/(?!errors)|actions/batch-actions|client/outbox",
  "(?:actions|client)/activation|api/(?:polling|with-timeout|file-link-api|cut-api)",
  "features/(?:account|checkout|choices|contact|cuts|lists|phone|secrets|speed)/(?!SignInRedirects|saved-target)",
  "features/converter/(?:estimate-words|SeveralLinks)",
  "features/billing/(?!BillingNotice|strip-height)",
  "components/(?:Chart|CopyField|Sheet\\.tsx|ToastSheets|use-swipe|DeletionForm|Input|Questions|use-busy|use-copy|layout/(?:LegalDocument|TextColumn))",
  "texts/(?:PageLocale|account/|choices/|cuts/|downloads/|lists/|phone/|player/|speed/|page-texts|figures|prose|use-figures)",
  "(?:stores|client)/download-notes|client/row-note|platform/use-is-in-page",
  "(?:stores|client|ready)/player|ready/growing-media",
  "features/queue/(?!Queue\\.tsx|QueueStates|row-height|use-current-job|use-job-views)",
  "features/(?:network/WaitingRequests|converter/CurrentJob)",
  "(?:components/ProgressBar|stores/(?:queue-items|slowness))",
  "ready/(?:auto-download|claim|share-file|tone)",
  "(?:pages/NotFoundPage|platform/(?:saving-app|only-here)|components/use-is-dark|platform/page-contacts)",
  "stores/(?:read-text|submit-batch)",
  "live/(?!lazy-live)",
].join("|");
/** What shows jobs, apart from what few jobs need. */
const JOB_VIEWS = [
  // Fields for times are also those of the choices.
  "features/(?:choices/PartTimes|queue/(?:Job[A-Z]|Play|MadeLine|RemovedJob|Rows|Slot|Thumbnail|WaitLine|WaysOutPlace|DetailsLine|clock|rows|use-jobs|use-remark))",
  "features/(?:network/WaitingRequests|converter/CurrentJob)",
  "(?:components/ProgressBar|stores/(?:queue-items|slowness)|client/row-note|platform/use-is-in-page)",
  "(?:stores|client|ready)/player|ready/growing-media|texts/player/(?:index|en)",
].join("|");
/** The same of what server and pages share. */
const OTHER_FACTS = [
  "account-calls|doubling-delay|file-link-calls|events|contacts|file-types|service-commitments|errors|reason-sentences|remarks|hosts|lists|site-status|speed|times|usage-days",
  "links/(?!open-list|plain-link)",
].join("|");
const HOME_MODULES = `/frontend/src/(?!${OTHER_PAGES})`;

/** Each script names those that it may load. 42 bits are enough to tell versions apart. */
const CHUNK_NAMES = "assets/[name]-[hash:7].js";

/**
 * Chunks that every page needs; start.ts runs them one after the other. Few and large ones are smaller, compressed, and
 * none is larger than React. The patterns name folders of libraries.
 */
const CHUNKS = [
  // Separate, because the first script needs it before the other chunks.
  { name: "parts", test: /vite\/preload-helper/ },
  { name: "react", test: /\/node_modules\/(?:react|react-dom|scheduler)\// },
  // Router, schemas, stores, and the library of components with our theme.
  {
    name: "base",
    test: new RegExp(
      "/frontend/src/(?:platform/zod|theme/(?:theme|tokens|recipes|narrow))\\.ts$|" +
        "/node_modules/(?:react-(?:error-boundary|router)|zod|zustand(?!/esm/(?:react|vanilla)/shallow)|stylis|@emotion/[^/]+|" +
        "@chakra-ui/react/dist/esm/(?:styled-system/(?!create-slot|use-slot)|utils|preset-base)[^]*)(?:/|\\.js$)",
    ),
  },
  // The home page with the modules that it shares with other pages.
  {
    name: "page",
    test: new RegExp(`${HOME_MODULES}|/common/(?!${OTHER_FACTS})|/node_modules/@chakra-ui/(?![^]*slot-recipe)`),
    minShareCount: 2,
  },
  // What shows jobs, which follows the first scripts.
  {
    name: "jobs",
    test: new RegExp(`/frontend/src/(?:${JOB_VIEWS})|/common/times\\.ts`),
    minShareCount: 2,
  },
];

const FIRST_SCRIPTS = /^assets\/(?:rolldown-runtime|parts|react|base|page)-[\w-]{7}\.js$/;

/**
 * Prerendered pages: the public ones. They start the app at the visitor's first use, or at once where they say that they
 * wait for it. The fields of the contact page keep what is typed before.
 */
const PUBLIC_PAGES = ["/", "/plans", "/subscribe", "/help", "/speed", "/api", "/contact", "/privacy", "/terms"];

/** The app leads a user away from /login, and one without Pro from /pro: those pages stay empty until it runs. */
const USER_PAGES = [...PUBLIC_PAGES, "/dashboard", "/following"];

export default defineConfig({
  root: fileURLToPath(new URL(".", import.meta.url)),
  plugins: [
    react(),
    globalStyles(),
    tokenNames(),
    prose(),
    smallZod(),
    withoutUnusedRouter(),
    withoutUnusedStyles(),
    prerender({
      entry: "/src/app/entry-server.tsx",
      pages: [...PUBLIC_PAGES, "/login"],
      userPages: { free: USER_PAGES, pro: [...USER_PAGES, "/pro"] },
    }),
    serviceWorker({ source: "src/platform/service-worker.ts" }),
    compress(),
  ],
  build: {
    outDir: "dist",
    emptyOutDir: true,
    target: "es2022",
    // The first versions with light-dark(); its fallback for older ones would ignore the visitor's choice.
    cssTarget: ["chrome123", "firefox120", "safari17.5"],
    modulePreload: {
      // These browsers have it.
      polyfill: false,
      // Whatever is loaded later, the first scripts are there.
      resolveDependencies: (_file, dependencies, { hostType }) =>
        hostType === "js" ? dependencies.filter((file) => !FIRST_SCRIPTS.test(file)) : dependencies,
    },
    // Inlined fonts or pictures would need a content security policy that allows data: URLs.
    assetsInlineLimit: 0,
    // Libraries have their own chunks, which stay in the browser's cache after a new build.
    rolldownOptions: {
      // Imported by Emotion for a function that nobody calls.
      treeshake: {
        moduleSideEffects: [{ test: /\/node_modules\/(?:hoist-non-react-statics|react-is)\//, sideEffects: false }],
      },
      output: { codeSplitting: { groups: CHUNKS }, chunkFileNames: CHUNK_NAMES },
    },
  },
  server: {
    // Libraries and `common` are beside this folder.
    fs: { allow: [fileURLToPath(new URL("..", import.meta.url))] },
    proxy: { "^/api/": SERVER, "/socket.io": { target: SERVER, ws: true } },
  },
});
