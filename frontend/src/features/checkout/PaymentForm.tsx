import { Box, Button, Flex, chakra } from "@chakra-ui/react";
import type { Stripe } from "@stripe/stripe-js";
import { useId, useState } from "react";
import type { FormEvent } from "react";
import { Link } from "../../components/Link.tsx";
import { useFormats, useTexts } from "../../texts/store.ts";
import { useSubscribeTexts } from "../../texts/subscribe/index.ts";
import type { PlanSecret } from "./checkout.ts";
import type { ReadyForm } from "./confirm-payment.ts";
import type { LoadedScript } from "./use-payment-script.ts";
import { OFFERS } from "../billing/plans.ts";
import { SecretForm } from "./SecretForm.tsx";
import { renewalOf } from "./renewal.ts";
import { Skeleton } from "../../components/Skeleton.tsx";

/** Height of the provider's card fields, reserved so that nothing moves when they load. */
const FIELDS_HEIGHT = "16.5rem";

const TermsLink = chakra(Link, { base: { color: "accent.text", textDecoration: "underline" } });

export interface PaymentFormProps {
  readonly script: LoadedScript & { retry: () => void };
  readonly secret: PlanSecret;
  /** The plan has changed and its secret is not loaded yet. */
  readonly isSwitching: boolean;
  readonly isPaying: boolean;
  /** Why the last try has failed, which a toast has said already. */
  readonly failure: string | null;
  readonly onPay: (form: ReadyForm) => void;
}

/** Keeps the fields of the old plan until those of the new plan are ready. */
function useSecretForms(secret: PlanSecret) {
  const [ready, setReady] = useState<ReadyForm | null>(null);
  const shown = ready?.secret ?? secret;
  return {
    ready,
    setReady,
    shown,
    mounted: shown.clientSecret === secret.clientSecret ? [secret] : [shown, secret],
  };
}

function Fields({
  stripe,
  secret,
  forms,
  onFailed,
}: {
  stripe: Stripe;
  secret: PlanSecret;
  forms: ReturnType<typeof useSecretForms>;
  onFailed: () => void;
}) {
  return forms.mounted.map((planSecret) => (
    <SecretForm
      key={planSecret.clientSecret}
      stripe={stripe}
      secret={planSecret}
      isShown={forms.ready !== null && planSecret.clientSecret === forms.shown.clientSecret}
      onReady={(form) => form.secret.clientSecret === secret.clientSecret && forms.setReady(form)}
      onFailed={onFailed}
    />
  ));
}

function LoadError({ onRetry }: { onRetry: () => void }) {
  const texts = useSubscribeTexts().unloadable;
  return (
    <Flex gridArea="1 / 1" role="alert" direction="column" align="start" justify="center" gap="3">
      <Box fontWeight={600}>{texts.title}</Box>
      <Box textStyle="meta">{texts.text}</Box>
      <Button variant="outline" onClick={onRetry}>
        {texts.retry}
      </Button>
    </Flex>
  );
}

/** Card fields and the button that pays. */
export function PaymentForm({ script, secret, isSwitching, isPaying, failure, onPay }: PaymentFormProps) {
  const forms = useSecretForms(secret);
  const [attempt, setAttempt] = useState(1);
  const [hasFailed, setHasFailed] = useState(false);
  const { plans, notices } = useTexts().billing;
  const texts = useSubscribeTexts();
  const formats = useFormats();
  const price = formats.dollars(OFFERS[secret.plan].priceUsd);
  const payLabel = secret.isSetupIntent ? texts.saveCard : plans[secret.plan].pay(price);
  const againId = useId();
  const isReady = forms.ready?.secret.clientSecret === secret.clientSecret && !isSwitching;
  const isBroken = script.phase === "failed" || hasFailed;

  function submit(event: FormEvent): void {
    event.preventDefault();
    if (isReady && forms.ready && !isPaying) onPay({ ...forms.ready, secret });
  }

  function fail(): void {
    forms.setReady(null);
    setHasFailed(true);
  }

  function retry(): void {
    setHasFailed(false);
    setAttempt((count) => count + 1);
    if (script.phase === "failed") script.retry();
  }

  return (
    <form onSubmit={submit} aria-label={texts.form} aria-busy={!isReady}>
      <Box display="grid" minH={FIELDS_HEIGHT} mb="5">
        {isBroken && <LoadError onRetry={retry} />}
        {!isBroken && forms.ready === null && <Placeholder />}
        {!isBroken && script.stripe && (
          <Fields key={attempt} stripe={script.stripe} secret={secret} forms={forms} onFailed={fail} />
        )}
      </Box>
      {failure !== null && (
        <Box data-payment-failure bg="bad.soft" color="bad" borderRadius="md" px="4" py="3" mb="4" fontSize="sm">
          {/* The provider's sentence may be in another language than the page. */}
          <b>{notices.paymentFailed.title}</b> <bdi>{failure}</bdi>
        </Box>
      )}
      <Button
        type="submit"
        size="lg"
        w="full"
        aria-busy={isPaying}
        aria-describedby={secret.isSetupIntent ? undefined : againId}
        disabled={!isReady || isPaying || isBroken}
      >
        {isPaying ? texts.processing : payLabel}
      </Button>
      <Conditions secret={secret} price={price} againId={againId} />
    </form>
  );
}

/** What is paid today and when again, who takes it, and what is accepted with it. */
function Conditions({ secret, price, againId }: { secret: PlanSecret; price: string; againId: string }) {
  const { again, accepted } = useSubscribeTexts();
  const formats = useFormats();
  const [openedAt] = useState(() => new Date());
  return (
    <Flex direction="column" gap="1" textStyle="meta" mt="2" textAlign="center">
      {/* Nothing is paid today where only the card is kept. */}
      {!secret.isSetupIntent && (
        <Box id={againId}>{again(price, formats.dayOf(renewalOf(secret.plan, openedAt).toISOString()))}</Box>
      )}
      <Box>
        {accepted.before}
        <TermsLink to="/terms" target="_blank">
          {accepted.link}
        </TermsLink>
        {accepted.after}
      </Box>
    </Flex>
  );
}

function Placeholder() {
  const texts = useSubscribeTexts();
  return (
    <Flex gridArea="1 / 1" direction="column" gap="4" role="status" aria-label={texts.loadingForm}>
      {[1, 2, 3].map((row) => (
        <Skeleton key={row} h="12" w="full" />
      ))}
    </Flex>
  );
}
