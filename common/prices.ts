/** Prices of Pro in US dollars. No other file states them. */

export const PRO_MONTHLY_USD = 9;
export const PRO_YEARLY_USD = 90;

/** What a month of the yearly plan costs. */
export const PRO_MONTH_OF_YEAR_USD = PRO_YEARLY_USD / 12;

/** Saving of the yearly plan against twelve monthly payments. */
export const PRO_YEARLY_SAVING_USD = PRO_MONTHLY_USD * 12 - PRO_YEARLY_USD;

/** The same saving in whole percent. */
export const PRO_YEARLY_SAVING_PERCENT = Math.round((PRO_YEARLY_SAVING_USD / (PRO_MONTHLY_USD * 12)) * 100);
