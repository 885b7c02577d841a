/** The top bar has room for the links to the sections, in the language with the longest labels. A menu has them below. */
export const WIDE_BAR = "@media (min-width: 48em)";
