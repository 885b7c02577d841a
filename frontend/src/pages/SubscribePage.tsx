import { Box, Grid } from "@chakra-ui/react";
import { useEffect } from "react";
import { Navigate, useNavigate, useSearchParams } from "react-router";
import { Plan } from "../../../common/api.ts";
import type { User } from "../../../common/api.ts";
import { activation } from "../client/activation.ts";
import { useActivation } from "../client/billing.ts";
import { useDevice } from "../client/stores.ts";
import { Card } from "../components/Card.tsx";
import { Footer } from "../components/layout/Footer.tsx";
import { Page } from "../components/layout/Page.tsx";
import { SignedIn } from "../features/account/access.tsx";
import { confirmCheckout } from "../features/checkout/confirm-payment.ts";
import type { ReadyForm } from "../features/checkout/confirm-payment.ts";
import { FeatureList } from "../features/billing/FeatureList.tsx";
import { checkout, useCheckout } from "../features/checkout/checkout-store.ts";
import { PaymentForm } from "../features/checkout/PaymentForm.tsx";
import { usePaymentScript } from "../features/checkout/use-payment-script.ts";
import type { PaymentScript } from "../features/checkout/use-payment-script.ts";
import { PlanChoice } from "../features/checkout/PlanChoice.tsx";
import {
  AlreadySubscribed,
  NoSecret,
  SettingUp,
  StillActivating,
  Unconfigured,
} from "../features/checkout/SubscribeStates.tsx";
import { useIsInPage } from "../platform/use-is-in-page.ts";
import { useHead } from "../platform/use-head.ts";
import { currentTexts, useTexts } from "../texts/store.ts";
import { useSubscribeTexts } from "../texts/subscribe/index.ts";
import { closeToast, notify } from "../client/toaster.ts";
import { useTitle } from "./use-title.ts";

/** Pays, then opens the home page unless the user has left this page. */
function usePay() {
  const navigate = useNavigate();
  const isHere = useIsInPage();

  return async (form: ReadyForm) => {
    if (!checkout.beginPaying()) return;
    closeToast();
    let isLeaving = false;
    try {
      const confirmation = await confirmCheckout(form, new URL("/", window.location.href).href);
      if (confirmation.isPaid) {
        isLeaving = isHere.current;
        activation.begin();
        if (isLeaving) void navigate("/", { replace: true });
        return;
      }
      checkout.failPaying(confirmation.message);
      notify({
        kind: "error",
        title: currentTexts().billing.notices.paymentFailed.title,
        description: confirmation.message,
      });
      if (confirmation.isStale) void checkout.renew();
    } finally {
      checkout.endPaying(isLeaving);
    }
  };
}

/** @param payer id of the user who pays */
function Checkout({ plan, payer, script }: { plan: Plan; payer: string; script: PaymentScript }) {
  const { phase, secret, payment, failure } = useCheckout((state) => state);
  const loadedScript = usePaymentScript(script);
  const [, setSearch] = useSearchParams();
  const pay = usePay();
  const { assurance } = useTexts().billing;
  const texts = useSubscribeTexts();
  const isPaying = payment !== "none";

  useEffect(() => void checkout.open(plan, payer), [plan, payer]);
  useEffect(() => () => checkout.close(), []);

  if (phase === "refused") return <Navigate to="/" replace />;
  if (phase === "unconfigured") return <Unconfigured />;
  if (phase === "no-secret") return <NoSecret />;
  if (secret === null) return <SettingUp />;
  return (
    <Page>
      <main>
        <Box as="h1" textStyle="heading" fontSize="2xl" mt={{ base: "7", sm: "10" }} mb="6">
          {texts.title}
        </Box>
        {/* The order on phones: choice, payment, features. */}
        <Grid
          templateColumns={{ base: "minmax(0, 1fr)", sm: "minmax(0, 1fr) minmax(0, 1fr)" }}
          templateRows={{ sm: "auto 1fr" }}
          gap="6"
          alignItems="start"
        >
          <PlanChoice
            plan={plan}
            isDisabled={isPaying}
            onChoose={(next) => setSearch({ plan: next }, { replace: true })}
          />
          <Card
            p={{ base: "4", sm: "6" }}
            aria-label={texts.payment}
            gridRow={{ sm: "1 / 3" }}
            gridColumn={{ sm: "2" }}
          >
            <PaymentForm
              script={loadedScript}
              secret={secret}
              isSwitching={phase === "switching" || secret.plan !== plan}
              isPaying={isPaying}
              failure={failure}
              onPay={(form) => void pay(form)}
            />
          </Card>
          <FeatureList />
        </Grid>
        <Box textStyle="meta" mt="8" textAlign="center">
          {assurance}
        </Box>
      </main>
      <Footer />
    </Page>
  );
}

function Subscribe({ user, script }: { user: User; script: PaymentScript }) {
  const [search] = useSearchParams();
  const plan = Plan.catch("yearly").parse(search.get("plan"));
  const { phase, refusal, payment } = useCheckout((state) => state);
  const isPaying = payment !== "none";
  const isActivating = useActivation((state) => state.phase === "waiting");
  const isSubscribed = user.tier === "pro" || user.subscription !== null || phase === "subscribed";
  // The server may report Pro before the provider's answer arrives here: the page waits for that answer.
  if (isSubscribed && !isPaying) return <AlreadySubscribed user={user} refusal={refusal} />;
  if (isActivating && !isPaying) return <StillActivating />;
  return <Checkout plan={plan} payer={user.id} script={script} />;
}

export function SubscribePage() {
  useTitle(useTexts().nav.upgrade);
  useHead({ description: useTexts().description, isPrivate: true });
  const config = useDevice((state) => state.config);
  if (config === null) return <SignedIn>{() => <SettingUp />}</SignedIn>;
  const { paymentAvailable, stripePublishableKey, stripeScriptUrl } = config;
  if (!paymentAvailable || stripePublishableKey === null) return <Unconfigured />;
  const script = { publishableKey: stripePublishableKey, scriptUrl: stripeScriptUrl };
  // Another user may sign in in another tab: the form is that of one user, with their secret and card.
  return <SignedIn>{(user) => <Subscribe key={user.id} user={user} script={script} />}</SignedIn>;
}
