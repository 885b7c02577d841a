export const en = {
  title: "The API of Tapedeck",
  lead: "Everything the page does, your programs can do. Make a token on the dashboard, and send it as “Authorization: Bearer”.",
  loading: "Loading the description",
  failed: "The description could not be loaded.",
  retry: "Try again",
};

export type ApiTexts = typeof en;
