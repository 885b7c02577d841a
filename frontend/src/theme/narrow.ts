/** Wider than phones; theme/base.css has the same figure. */
export const SM = "40.0625em";

/** The narrowest phones, up to 359 px, and wider ones with enlarged text. */
export const NARROW = "@media (max-width: 22.4375em)";

/** Between phones and wide screens. */
export const BETWEEN = `@media (min-width: ${SM}) and (max-width: 53.99em)`;
