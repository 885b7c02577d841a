/** Set-up of unit tests: a property is checked with the same values in each run, but for `npm run test:repeat`. */
import { configureGlobal } from "fast-check";
import { z } from "zod";

const seed = z.coerce.number().int().default(1).parse(process.env["PROPERTY_SEED"]);
configureGlobal({ seed });
