import { Box } from "@chakra-ui/react";
import { Elements, PaymentElement, useElements, useStripe } from "@stripe/react-stripe-js";
import type { Stripe, StripePaymentElementOptions } from "@stripe/stripe-js";
import { useMemo } from "react";
import { useUser } from "../../client/stores.ts";
import { useLanguage } from "../../texts/store.ts";
import { providerFonts } from "./provider-fonts.ts";
import { useAppearance } from "./use-appearance.ts";
import type { PlanSecret } from "./checkout.ts";
import type { ReadyForm } from "./confirm-payment.ts";

interface FieldsProps {
  readonly secret: PlanSecret;
  readonly onReady: (form: ReadyForm) => void;
  readonly onFailed: () => void;
}

function Fields({ secret, onReady, onFailed }: FieldsProps) {
  const stripe = useStripe();
  const elements = useElements();
  const email = useUser((state) => state.user?.email ?? "");
  const options = useMemo(
    (): StripePaymentElementOptions => ({ layout: "tabs", defaultValues: { billingDetails: { email } } }),
    [email],
  );
  return (
    <PaymentElement
      options={options}
      onReady={() => stripe && elements && onReady({ stripe, elements, secret })}
      onLoadError={onFailed}
    />
  );
}

export interface SecretFormProps extends FieldsProps {
  readonly stripe: Stripe;
  /** False while the form of the previous secret is still shown. */
  readonly isShown: boolean;
}

/** The provider's fields for one secret; their input never passes through this page. */
export function SecretForm({ stripe, secret, isShown, onReady, onFailed }: SecretFormProps) {
  const appearance = useAppearance();
  const language = useLanguage();
  const options = useMemo(
    // The provider has no Hindi translation.
    () =>
      ({
        clientSecret: secret.clientSecret,
        appearance,
        fonts: providerFonts(),
        locale: language === "hi" ? "en" : language,
      }) as const,
    [secret.clientSecret, appearance, language],
  );
  return (
    // The provider's frame is transparent and light. If the colour schemes of page and frame differ, browsers
    // draw a white background behind it, so this element has a light scheme.
    <Box
      gridArea="1 / 1"
      minW="0"
      css={{ "& iframe": { colorScheme: "light !important" } }}
      {...(!isShown && { inert: true, opacity: 0 })}
    >
      <Elements stripe={stripe} options={options}>
        <Fields secret={secret} onReady={onReady} onFailed={onFailed} />
      </Elements>
    </Box>
  );
}
