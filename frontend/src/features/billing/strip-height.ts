/** Of a notice above the page, with or without its words. */
export const STRIP_HEIGHT = { base: "6.5rem", sm: "16" };
