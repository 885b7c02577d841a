/** Height of the notice strip above a page, also before its code is loaded. */
export const STRIP_HEIGHT = { base: "6.5rem", sm: "16" };
