/**
 * The top bar has room for the links to the sections beside the buttons in every language, and in English beside the
 * whole badge of a signed-in user too. A menu has the links below.
 */
export const WIDE_BAR = "@media (min-width: 56em)";

/** From here on a wide page has two columns. */
export const TWO_COLUMNS = "@media (min-width: 90em)";
export const WIDE_PAGE = { [TWO_COLUMNS]: { maxW: "108rem" } };
