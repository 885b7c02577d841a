import { NARROW } from "../../theme/narrow.ts";

/**
 * As high as the tallest state of a job: two rows of buttons on phones, else two lines of details below the title. On
 * the narrowest phones the details stand below the picture.
 */
export const ROW_HEIGHT = { base: "5.5rem", sm: "5.8125rem", [NARROW]: "6.875rem" };

/**
 * The height of a row's content on wider screens in most states. Picture and controls stand in the middle of it also where
 * many words make the row higher, so that they keep their places.
 */
export const USUAL = "--usual-height";

/** @returns the space above something that stands in the middle. @param height of it */
export const middleOf = (height: string): string => `calc((var(${USUAL}) - ${height}) / 2)`;

/** Of the two buttons that come to a finished file, see RowSign.tsx, and on phones of their signs alone. */
export const ROOM_FOR_BUTTONS = "88px";
export const ROOM_FOR_SIGNS = "68px";

/** The heading of the queue, which remains when its last row is gone. */
export const QUEUE_HEADING_ID = "queue-heading";
