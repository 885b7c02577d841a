import type { SubscribeTexts } from "./en.ts";

export const es: SubscribeTexts = {
  title: "Pasar a Pro",
  plan: "Elección del plan",
  payment: "Pago",
  form: "Pago con tarjeta",
  loadingForm: "Cargando el formulario de la tarjeta",
  unloadable: {
    title: "No se pudo cargar el formulario de la tarjeta",
    text: "Comprueba la conexión y si algo en tu navegador bloquea las páginas de pago. No se ha cobrado nada.",
    retry: "Intentar de nuevo",
  },
  processing: "Procesando…",
  saveCard: "Guardar la tarjeta y empezar con Pro",
  again: (price: string, date: string) => `Pagas ${price} hoy y de nuevo el ${date}, salvo que canceles antes.`,
  accepted: {
    before: "Stripe cobra el pago y guarda tu tarjeta; nunca la vemos. Al pagar aceptas las ",
    link: "Condiciones del servicio",
    after: ".",
  },
  states: {
    settingUp: "Preparando tu suscripción…",
    back: "Volver al convertidor",
    unconfigured: {
      title: "El sistema de pago no está bien configurado",
      text: "Los pagos no están configurados en este servidor, así que no se puede comprar nada y no se ha cobrado nada. Todo lo demás funciona. Avisa a nuestro equipo de ayuda.",
    },
    noSecret: {
      title: "No se pudo preparar el pago. Inténtalo de nuevo.",
      text: "No se ha cobrado nada.",
      back: "Volver",
    },
    activating: {
      title: "Tu pago está confirmado",
      text: "Pro se está activando y aparece solo. No hay nada más que pagar.",
      go: "Ir al convertidor",
    },
    hasPro: "Ya tienes Pro",
    hasSubscription: "Ya tienes una suscripción",
    nothingToPay: "Nada más que pagar",
    granted: "Pro se concedió a tu cuenta, así que no hay nada que pagar.",
    overdue: (plan: string) =>
      `${plan} espera un pago que no se completó. Actualiza tu tarjeta en «Gestionar la facturación».`,
    ends: (plan: string, date: string) =>
      `${plan} está cancelado y dura hasta el ${date}. La tarjeta, las facturas y la cancelación están en «Gestionar la facturación».`,
    renews: (plan: string, date: string) =>
      `${plan} se renueva el ${date}. La tarjeta, las facturas y la cancelación están en «Gestionar la facturación».`,
  },
};
