/** Pages that require a sign-in. */
import { Box, Button } from "@chakra-ui/react";
import { useEffect } from "react";
import type { ReactNode } from "react";
import { Navigate, useLocation } from "react-router";
import type { User } from "../../../../common/api.ts";
import { live } from "../../client/live.ts";
import { useJobs, useUser } from "../../client/stores.ts";
import { Page } from "../../components/layout/Page.tsx";
import { useTexts } from "../../texts/store.ts";
import { saveTarget } from "./saved-target.ts";
import { Skeleton } from "../../components/Skeleton.tsx";

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
            <Skeleton h="12" maxW="24rem" mb="4" />
            <Skeleton h="5" maxW="16rem" />
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
