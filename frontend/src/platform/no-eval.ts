/** The content security policy forbids `eval`, which zod otherwise uses for speed. */
import { config } from "zod";

config({ jitless: true });
