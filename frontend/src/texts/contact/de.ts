import type { Figures } from "../figures.ts";
import type { ContactTexts } from "./en.ts";

export const de = {
  title: "Kontakt",
  description:
    "Schreib dem Support von Tapedeck: technische Probleme, Abrechnung, Ideen, Fehler und Partnerschaften, mit den Zeiten, in denen wir antworten.",
  lead: "Eine Frage, ein Problem oder eine Idee? Sag es uns.",
  form: {
    title: "Nachricht senden",
    allRequired: "Alle Felder müssen ausgefüllt sein.",
    firstName: "Vorname",
    lastName: "Nachname",
    email: "E-Mail",
    subject: "Betreff",
    choose: "Betreff wählen",
    subjects: {
      technical: "Technische Hilfe",
      billing: "Abrechnung",
      feature: "Wunsch",
      bug: "Fehlermeldung",
      general: "Allgemeine Frage",
      partnership: "Partnerschaft",
    },
    message: "Nachricht",
    send: "Nachricht senden",
    sending: "Wird gesendet …",
    problems: {
      firstName: "Bitte gib deinen Vornamen ein",
      lastName: "Bitte gib deinen Nachnamen ein",
      email: "Bitte gib deine E-Mail-Adresse ein",
      emailFormat: "Bitte gib eine E-Mail-Adresse wie name@example.org ein",
      subject: "Bitte wähl einen Betreff",
      message: "Bitte gib eine Nachricht ein",
      messageLength: "Bitte kürz deine Nachricht auf 5.000 Zeichen",
    },
    notSent: "Nachricht nicht gesendet",
    failures: {
      failed:
        "Deine Nachricht konnte nicht gesendet werden, ihr Text steht noch hier. Versuch es später noch einmal oder schreib uns per E-Mail:",
      offline:
        "Es gibt keine Verbindung, dein Text steht noch hier. Sende ihn, wenn du wieder online bist, oder schreib uns per E-Mail:",
      limited: (when: string) =>
        `Du hast mehrere Nachrichten gesendet. Versuch es ${when} noch einmal oder schreib uns per E-Mail:`,
    },
    needsScript: "Dieses Formular braucht JavaScript. Bitte schreib stattdessen an unsere Adresse.",
    sent: {
      title: "Nachricht gesendet",
      description: "Danke für deine Nachricht! Wir melden uns innerhalb von 24 Stunden.",
    },
  },
  times: {
    title: "Antwortzeiten",
    technical: "Technische Hilfe",
    billing: "Abrechnung",
    general: "Allgemeine Fragen",
    pro: "Pro-Mitglieder",
    within: (hours: number) => `innerhalb von ${hours} Stunden`,
    priority: "bevorzugt: zuerst beantwortet",
  },
  write: {
    title: "Schreib uns",
    text: "Sende eine E-Mail an die Adresse unten. Nenn einen Betreff, etwa Abrechnung oder Fehler, und was wir wissen müssen, um zu helfen.",
  },
  email: { title: "Per E-Mail", text: "Falls dir dein eigenes Mailprogramm lieber ist:" },
  faq: {
    title: "Bevor du schreibst",
    questions: (f: Figures) => [
      {
        question: "Meine Umwandlung ist fehlgeschlagen. Was soll ich schicken?",
        answer: "Den Link, das Format und die Zeile unter dem Titel in der Liste. Mehr brauchen wir meist nicht.",
      },
      {
        question: "Wie kündige ich Pro oder bekomme mein Geld zurück?",
        answer: `Du kannst jederzeit kündigen und behältst Pro bis zum Ende des bezahlten Zeitraums. Für eine Erstattung genügt bis ${f.refund} nach einer Zahlung eine Nachricht mit dem Betreff Abrechnung.`,
      },
      {
        question: "Könnt ihr eine abgelaufene Datei zurückholen?",
        answer: `Nein. Dateien liegen ${f.free.kept} (Gratis) oder ${f.pro.kept} (Pro) bereit und werden dann endgültig gelöscht. Wandle den Link noch einmal um.`,
      },
    ],
    more: "Mehr Antworten",
  },
} satisfies ContactTexts;
