/**
 * What is said of the result of a conversion, in English: the `note` of the REST interface and the English catalogue. Each
 * has the name of its finding, and is a text or a function of the finding; a shortfall has a text for each reason.
 */
export const FINDING_WORDS = {
  /** Why the picture has fewer lines than the plan allows. */
  shortfalls: {
    site: (lines: string) => `${lines}: the site gave no more`,
    site_within_plan: (lines: string) => `${lines}: the site gave no more within your plan`,
    codec: (lines: string) => `${lines}: the site gave more only in another video format`,
    file_size: (lines: string, size: string) => `${lines} to fit ${size}`,
  },
  interlaced: "interlaced: too long to be changed",
  /** Their list did not answer. */
  sponsorsUnknown: "sponsored segments unknown: left as they are",
  songsMissing: (titles: string) => `without ${titles}`,
};
