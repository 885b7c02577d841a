/** Pages that require a sign-in, and the redirects around signing in and out. */
import { Box, Button, Skeleton } from "@chakra-ui/react";
import { useEffect } from "react";
import type { ReactNode } from "react";
import { Navigate, useLocation, useNavigate, useSearchParams } from "react-router";
import type { User } from "../../../../common/api.ts";
import { live, useJobs, useUser } from "../../client/client.ts";
import { Page } from "../../components/layout/Page.tsx";
import { useTexts } from "../../texts/store.ts";
import { saveTarget, takeTarget } from "./saved-target.ts";

/** Redirects to the sign-in page and stores the current page for afterwards. */
function RedirectToLogin() {
  const { pathname, search } = useLocation();
  useEffect(() => saveTarget(pathname + search), [pathname, search]);
  return <Navigate to="/login" replace />;
}

function LoadingIdentity() {
  const texts = useTexts().account;
  const hasFailed = useJobs((state) => state.phase === "failed");
  return (
    <Page>
      <Box as="main" minH="60vh" pt={{ base: "7", sm: "12" }}>
        {hasFailed ? (
          <Box role="alert">
            <Box textStyle="heading" mb="2">
              {texts.unreachable.title}
            </Box>
            <Box textStyle="lead" color="fg.muted" mb="6">
              {texts.unreachable.text}
            </Box>
            <Button onClick={() => void live.retry()}>{texts.unreachable.retry}</Button>
          </Box>
        ) : (
          <Box role="status" aria-label={texts.loading} data-waits-for-app="">
            <Skeleton loading h="12" maxW="24rem" mb="4" />
            <Skeleton loading h="5" maxW="16rem" />
          </Box>
        )}
      </Box>
    </Page>
  );
}

/** Renders its children for a signed-in user; others are redirected to the sign-in page. */
export function SignedIn({
  isProOnly = false,
  children,
}: {
  isProOnly?: boolean;
  children: (user: User) => ReactNode;
}) {
  const { phase, user, isLeaving } = useUser((state) => state);
  if (isLeaving || phase === "loading") return <LoadingIdentity />;
  if (!user) return <RedirectToLogin />;
  return isProOnly && user.tier !== "pro" ? <Navigate to="/" replace /> : children(user);
}

/** Opens the stored page after a sign-in, and removes the sign-out parameter from the URL. */
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
