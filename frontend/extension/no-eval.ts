/** Browsers forbid `eval` in extensions, which zod otherwise uses for speed. Imported before all schemas. */
import { config } from "zod";

config({ jitless: true });
