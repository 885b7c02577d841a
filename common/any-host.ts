/** The entry of `VIDEO_HOSTS` that stands for every public host. Apart from hosts.ts, because pages need it at once. */
export const ANY_HOST = "any";
