/** The page's content security policy forbids making code from text; zod would try to, for speed. */
import { config } from "zod";

config({ jitless: true });
