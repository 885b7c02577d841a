/** Fields of what tools and sites print: a value of another kind counts as absent. */
import { z } from "zod";

export const text = z.string().optional().catch(undefined);
export const positive = z.number().positive().optional().catch(undefined);
