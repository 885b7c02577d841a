/** What Pro costs, in whole US dollars: the one place that states it. */

export const PRO_MONTHLY_USD = 9;
export const PRO_YEARLY_USD = 90;

/** What a year at once saves against twelve single months. */
export const PRO_YEARLY_SAVING_USD = PRO_MONTHLY_USD * 12 - PRO_YEARLY_USD;

/** The same as a share of twelve single months, in whole percent. */
export const PRO_YEARLY_SAVING_PERCENT = Math.round((PRO_YEARLY_SAVING_USD / (PRO_MONTHLY_USD * 12)) * 100);
