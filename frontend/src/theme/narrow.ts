/** Wider than phones; theme/base.css has the same figure. */
export const SM = "40.0625em";

/** The narrowest phones, up to 359 px, and wider ones with enlarged text. */
export const NARROW = "@media (max-width: 22.4375em)";
