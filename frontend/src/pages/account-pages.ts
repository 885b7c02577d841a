/** Pages of an account that share one script: each script of a page costs the first ones its name. */
export { DashboardPage } from "./DashboardPage.tsx";
export { FollowingPage } from "./FollowingPage.tsx";
