import { useEffect } from "react";
import { useLocation, useNavigate, useSearchParams } from "react-router";
import { useUser } from "../../client/stores.ts";
import { takeTarget } from "./saved-target.ts";

/**
 * Opens the stored page after a sign-in, and removes the sign-out parameter from the URL. Apart from access.tsx, which
 * the home page does without.
 */
export function SignInRedirects() {
  const isSignedIn = useUser((state) => state.phase === "signed-in");
  const { pathname, search: query } = useLocation();
  const current = pathname + query;
  const [search, setSearch] = useSearchParams();
  const navigate = useNavigate();
  const isSignedOut = search.get("logged_out") === "true";

  useEffect(() => {
    if (!isSignedOut) return;
    // After a sign-out the stored page is not opened any more.
    takeTarget();
    setSearch(
      (all) => {
        all.delete("logged_out");
        return all;
      },
      { replace: true },
    );
  }, [isSignedOut, setSearch]);

  useEffect(() => {
    if (!isSignedIn) return;
    const target = takeTarget() ?? (pathname === "/login" ? "/dashboard" : null);
    // No navigation to the current page: it would end a redirect in progress.
    if (target !== null && target !== current) void navigate(target, { replace: true });
  }, [isSignedIn, pathname, current, navigate]);

  return null;
}
