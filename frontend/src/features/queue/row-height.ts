import { NARROW } from "../../theme/narrow.ts";

/**
 * As high as the tallest state of a job: two rows of buttons on phones, else two lines of details below the title. On
 * the narrowest phones the details stand below the picture.
 */
export const ROW_HEIGHT = { base: "5.5rem", sm: "5.8125rem", [NARROW]: "6.875rem" };

/** The heading of the queue, which remains when its last row is gone. */
export const QUEUE_HEADING_ID = "queue-heading";
