/** Wider than phones; theme/base.css has the same figure. */
export const SM = "40.0625em";

/** The narrowest phones, up to 359 px, and wider ones with enlarged text. */
export const NARROW = "@media (max-width: 22.4375em)";

/** Where the controls of a batch stand beside its name, and where they do not. */
export const WIDE = "@media (min-width: 54em)";
export const NOT_WIDE = "@media (max-width: 53.99em)";

/** Between phones and wide screens. */
export const BETWEEN = `${NOT_WIDE} and (min-width: ${SM})`;
