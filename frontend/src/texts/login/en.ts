export const en = {
  title: "Pro User Login",
  /** What search engines and shared links show of the page. */
  description: (links: number) =>
    `Sign in to Tapedeck Pro: better quality, longer videos, ${links} links at once, and no ads.`,
  text: "You sign in with our sign-in service. There is no password to type here.",
  notSetUp: "Sign-in is not set up on this server.",
  password: "Password",
  passwordHint: "Not needed here",
  signIn: "Sign in as Pro User",
  signingIn: "Signing in...",
  back: "Back to Home",
  errors: {
    unavailable: "The sign-in service cannot be reached at the moment. Try again in a few minutes.",
    refused: "The sign-in was refused or called off. Try again if that was not your intention.",
    expired: "The sign-in took too long. Start again, and it will go through.",
    invalid: "The answer of the sign-in service could not be trusted, so nobody was signed in. Try again.",
    rate_limited: "Too many sign-ins in a short time. Wait a minute and try again.",
  },
};

export type LoginTexts = typeof en;
