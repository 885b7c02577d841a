import type { SubscribeTexts } from "./en.ts";

export const de: SubscribeTexts = {
  title: "Zu Pro wechseln",
  plan: "Tarif",
  payment: "Zahlung",
  form: "Kartenzahlung",
  loadingForm: "Das Kartenformular wird geladen",
  unloadable: {
    title: "Das Kartenformular konnte nicht geladen werden",
    text: "Prüf deine Verbindung und ob etwas in deinem Browser Zahlungsseiten blockiert. Es wurde nichts abgebucht.",
    retry: "Noch einmal versuchen",
  },
  processing: "Wird verarbeitet …",
  saveCard: "Karte speichern und Pro starten",
  again: (price: string, date: string) =>
    `Du zahlst ${price} heute und wieder am ${date}, wenn du nicht vorher kündigst.`,
  accepted: {
    before: "Stripe nimmt die Zahlung an und verwahrt deine Karte; wir sehen sie nie. Damit akzeptierst du die ",
    link: "Nutzungsbedingungen",
    after: ".",
  },
  states: {
    settingUp: "Dein Abo wird eingerichtet …",
    back: "Zurück zum Umwandeln",
    unconfigured: {
      title: "Das Zahlungssystem ist nicht richtig eingerichtet",
      text: "Auf diesem Server sind keine Zahlungen eingerichtet. Es lässt sich also nichts kaufen, und es wurde nichts abgebucht. Alles andere funktioniert. Bitte sag unserem Support Bescheid.",
    },
    noSecret: {
      title: "Die Zahlung ließ sich nicht vorbereiten. Bitte versuch es noch einmal.",
      text: "Es wurde nichts abgebucht.",
      back: "Zurück",
    },
    activating: {
      title: "Deine Zahlung ist bestätigt",
      text: "Pro wird gerade freigeschaltet und erscheint von selbst. Es ist nichts weiter zu zahlen.",
      go: "Zum Umwandeln",
    },
    hasPro: "Du hast Pro schon",
    hasSubscription: "Du hast schon ein Abo",
    nothingToPay: "Nichts weiter zu zahlen",
    granted: "Pro wurde deinem Konto geschenkt, es ist also nichts zu zahlen.",
    overdue: (plan: string) =>
      `${plan} wartet auf eine Zahlung, die nicht geklappt hat. Aktualisiere deine Karte unter „Abrechnung verwalten“.`,
    ends: (plan: string, date: string) =>
      `${plan} ist gekündigt und gilt noch bis ${date}. Karte, Rechnungen und Kündigung findest du unter „Abrechnung verwalten“.`,
    renews: (plan: string, date: string) =>
      `${plan} verlängert sich am ${date}. Karte, Rechnungen und Kündigung findest du unter „Abrechnung verwalten“.`,
  },
};
