import type { Texts } from "./en.ts";
import { pluralIn } from "./plural.ts";

const plural = pluralIn("de");

export const de = {
  errors: {
    invalid_link: "Bitte gib einen gültigen YouTube-Link ein",
    unsupported_host:
      "Dieser Link führt zu einer Seite, die Tapedeck nicht öffnet. Versuch es mit dem Link einer unterstützten Seite.",
    unavailable: "Unter diesem Link gibt es kein Video mehr. Prüf den Link und versuch es noch einmal.",
    private: "Dieses Video ist privat. Bitte den Besitzer, es öffentlich zu machen, und versuch es dann noch einmal.",
    members_only: "Dieses Video ist nur für zahlende Mitglieder seines Kanals und lässt sich deshalb nicht umwandeln.",
    login_required:
      "Dieses Video ist nur nach einer Anmeldung auf seiner Seite zu sehen und lässt sich deshalb nicht umwandeln.",
    geo_blocked: "Dieses Video ist in dem Land, in dem unser Server steht, nicht verfügbar.",
    live: "Das ist ein Livestream. Komm wieder, wenn er zu Ende ist.",
    playlist: "Dieser Link ist eine Liste von Videos. Öffne eines davon und füge dessen eigenen Link ein.",
    too_long: "Dieses Video ist länger, als dein Tarif erlaubt.",
    too_large: "Dieses Video passt nicht in die Dateigröße, die dein Tarif erlaubt.",
    site_blocked: "Die Videoseite weist uns gerade ab. Versuch es in ein paar Minuten noch einmal.",
    site_changed:
      "Die Videoseite hat sich geändert, und wir müssen nachziehen. Wir wissen davon: Versuch es in ein paar Stunden noch einmal.",
    busy: "Die Videoseite lässt uns warten. Versuch es später noch einmal.",
    network: "Die Verbindung zur Videoseite ist abgebrochen. Versuch es gleich noch einmal.",
    timeout: "Die Videoseite sendet nichts mehr. Versuch es gleich noch einmal.",
    storage: "Im Moment ist kein Platz, um die Datei zu speichern. Versuch es in ein paar Minuten noch einmal.",
    internal:
      "Bei uns ist etwas schiefgegangen. Versuch es noch einmal und melde dich bei uns, wenn es wieder passiert.",
    bad_request: "Die Anfrage war nicht lesbar. Lade die Seite neu und versuch es noch einmal.",
    bad_origin: "Die Anfrage kam nicht von dieser Seite. Lade die Seite neu und versuch es noch einmal.",
    sign_in_required: "Bitte melde dich zuerst an.",
    pro_required: "Dafür brauchst du Pro.",
    not_found: "Diese Umwandlung gibt es nicht mehr.",
    conflict: "Die Umwandlung hat sich inzwischen geändert. Lade die Seite neu, um den Stand zu sehen.",
    payload_too_large: "Die Anfrage ist zu groß.",
    rate_limited: "Zu viele Anfragen. Warte einen Moment und versuch es noch einmal.",
    unavailable_now: "Der Dienst kann gerade nicht antworten. Versuch es in ein paar Sekunden noch einmal.",
    payment_unconfigured: "Auf diesem Server sind keine Zahlungen eingerichtet.",
    already_subscribed: "Du hast schon ein Abo.",
    payment_provider: "Der Zahlungsdienst ist gerade nicht erreichbar. Versuch es in ein paar Minuten noch einmal.",
  },

  titles: {
    login: "Anmeldung für Pro",
    dashboard: "Übersicht",
    pro: "Pro",
    notFound: "404 Seite nicht gefunden",
    help: "Hilfe",
    contact: "Kontakt",
    privacy: "Datenschutzerklärung",
    terms: "Nutzungsbedingungen",
    plans: "Tarife",
    subscribe: "Zu Pro wechseln",
  },
  descriptions: {
    home: "Videolink einfügen und eine MP3 oder MP4 bekommen, mit Fortschritt in Echtzeit. Ganz ohne Konto.",
    login: "Anmeldung bei Tapedeck Pro: bessere Qualität, längere Videos, zwanzig Links auf einmal, keine Werbung.",
    plans:
      "Tapedeck Pro im Monat oder im Jahr: bessere Qualität, längere Videos, zwanzig Links auf einmal, keine Werbung. Jederzeit kündbar.",
  },

  nav: {
    sections: "Abschnitte",
    converter: "Umwandeln",
    pricing: "Preise",
    proUser: "Pro-Nutzer",
    freeUser: "Gratis-Nutzer",
    dashboard: "Übersicht",
    logout: "Abmelden",
    login: "Pro-Anmeldung",
    upgrade: "Zu Pro wechseln",
  },

  footer: {
    help: "Hilfe",
    contact: "Kontakt",
    privacy: "Datenschutz",
    terms: "Bedingungen",
    language: "Sprache",
    colors: { label: "Farben", system: "Wie das System", light: "Hell", dark: "Dunkel" },
    skip: "Zum Inhalt springen",
  },

  debug: {
    title: "Diagnose",
    device: (id: string) => `Gerät ${id}`,
    auth: (isSignedIn: boolean) => `Angemeldet: ${isSignedIn ? "ja" : "nein"}`,
    user: (id: string | null) => `Nutzer ${id ?? "anonym"}`,
  },

  ads: {
    mark: "Anzeige",
    names: { header: "Anzeige oben", leaderboard: "Anzeige in der Mitte", footer: "Anzeige unten" },
    header: "Hör, was du behältst: Studiokopfhörer, diese Woche 20\u00a0% günstiger.",
    leaderboard:
      "Deine Musik hat Besseres verdient als Laptop-Lautsprecher. Geschlossene Studiokopfhörer, diese Woche 20\u00a0% günstiger.",
    footer: "Für lange Abende gemacht: Kopfhörer, die man vergisst.",
  },

  failure: {
    title: "Diese Seite funktioniert nicht mehr",
    text: "Deine Umwandlungen sind sicher und laufen ohne sie weiter. Lade die Seite neu, um sie zu sehen.",
    reload: "Seite neu laden",
    offlineTitle: "Diese Seite kommt, sobald die Verbindung wieder da ist",
    offlineText: "Du bist offline. Sie öffnet sich dann von selbst; deine Umwandlungen laufen ohne sie weiter.",
  },

  toasts: {
    region: (hotkey: string) => `Mitteilungen (${hotkey})`,
    dismiss: "Schließen",
    languageFailed: {
      title: "Sprache nicht geändert",
      description: "Sie konnte nicht geladen werden. Prüf die Verbindung und versuch es noch einmal.",
    },
  },

  home: {
    title: { first: "Link einfügen.", second: "Band behalten." },
    lead: "MP3 oder MP4 aus einem Videolink, mit einem Balken, der die Wahrheit sagt. Ganz ohne Konto.",
    usual: (span: string) => `Üblicherweise fertig nach: ${span}`,
  },

  notFound: {
    title: "404 Seite nicht gefunden",
    text: "In diesem Deck liegt kein Band. Das Umwandeln ist noch da, wo du es verlassen hast.",
    back: "Zurück zum Umwandeln",
  },

  login: {
    title: "Anmeldung für Pro-Nutzer",
    text: "Du meldest dich über unseren Anmeldedienst an. Hier ist kein Passwort einzugeben.",
    notSetUp: "Auf diesem Server ist keine Anmeldung eingerichtet.",
    password: "Passwort",
    passwordHint: "Hier nicht nötig",
    signIn: "Als Pro-Nutzer anmelden",
    signingIn: "Anmeldung läuft …",
    back: "Zurück zur Startseite",
    errors: {
      unavailable: "Der Anmeldedienst ist gerade nicht erreichbar. Versuch es in ein paar Minuten noch einmal.",
      refused:
        "Die Anmeldung wurde abgelehnt oder abgebrochen. Versuch es noch einmal, falls das nicht deine Absicht war.",
      expired: "Die Anmeldung hat zu lange gedauert. Fang noch einmal an, dann klappt es.",
      invalid:
        "Der Antwort des Anmeldedienstes war nicht zu trauen, deshalb wurde niemand angemeldet. Versuch es noch einmal.",
      rate_limited: "Zu viele Anmeldungen in kurzer Zeit. Warte eine Minute und versuch es noch einmal.",
    },
  },

  converter: {
    name: "Umwandeln",
    mode: "Modus",
    single: "Ein Link",
    batch: "Stapel",
    format: "Format",
    link: "Videolink",
    linkPlaceholder: "Videolink einfügen",
    links: "Videolinks, einer je Zeile",
    linksPlaceholder: "Videolinks einfügen, einer je Zeile",
    paste: "Einfügen",
    cancel: "Abbrechen",
    convert: "Umwandeln",
    convertAll: "Alle umwandeln",
    starting: "Startet …",
    trySample: "Beispiellink ausprobieren",
    proMakesIt: (quality: string) => `mit Pro ${quality}`,
    found: (found: number, most: number) => `${found} von ${most}`,
    pasted: (count: number) => `Du hast ${count} Links eingefügt.`,
    isBatchNow: "Jeder ist jetzt eine Zeile dieses Stapels.",
    firstKept: (count: number, most: number) =>
      `Der erste von ${count} Links steht im Feld. Mit Pro gehen bis zu ${most} auf einmal.`,
    dropHere: "Link hier ablegen",
    preview: {
      name: "Vorschau",
      hint: "Füg irgendwo auf dieser Seite einen Link ein oder zieh einen her, und du siehst hier, wohin er führt.",
      loading: "Der Link wird angesehen",
      announce: (title: string, length: string) => `${title}, Länge ${length}.`,
      about: (size: string) => `etwa ${size}`,
      sizeUnknown: "Größe unbekannt",
      doesNotFit: "Mehr, als dein Tarif erlaubt.",
      failed: "Dieser Link lässt sich vorab nicht zeigen. Umwandeln geht vielleicht trotzdem.",
    },
    refusedLines: "Abgelehnte Zeilen",
    refused: (count: number) =>
      plural(count, { one: "Eine Zeile wurde nicht gestartet", other: `${count} Zeilen wurden nicht gestartet` }),
    editRefused: "Bearbeiten",
    line: (line: number) => `Zeile ${line}: `,
    problems: {
      empty: "Bitte gib einen YouTube-Link ein",
      unknown: "Bitte gib einen gültigen YouTube-Link ein",
      noLinks: "Bitte gib mindestens einen gültigen YouTube-Link ein",
      tooMany: (most: number) => `Mit Pro lassen sich bis zu ${most} Links auf einmal umwandeln`,
    },
    notices: {
      invalid: "Ungültiger Link",
      noLinks: "Keine gültigen Links",
      tooMany: "Zu viele Links",
      started: { title: "Umwandlung gestartet", description: "Dein Video steht jetzt in der Warteschlange!" },
      failed: { title: "Umwandlung fehlgeschlagen", description: "Die Umwandlung ließ sich nicht starten" },
      canceled: { title: "Umwandlung abgebrochen", description: "Die Umwandlung des Links wurde abgebrochen" },
      batchStarted: {
        title: "Stapel gestartet",
        description: (count: number) =>
          plural(count, { one: `${count} Video wird umgewandelt`, other: `${count} Videos werden umgewandelt` }),
      },
      batchFailed: { title: "Stapel fehlgeschlagen", description: "Der Stapel ließ sich nicht starten" },
      nothingPasted: {
        title: "Nichts eingefügt",
        description: "Drück Strg+V (⌘V auf dem Mac), um den Link einzufügen.",
      },
    },
  },

  queue: {
    title: "Deine Warteschlange",
    list: "Umwandlungen",
    reconnecting: "Verbindung wird wiederhergestellt …",
    working: (count: number) => `${count} in Arbeit`,
    waiting: (count: number) => `${count} wartend`,
    showAll: (count: number) => `Alle ${count} anzeigen`,
    empty: { title: "Noch nichts hier", text: "Füg oben einen Link ein und sieh zu, wie er zur Datei wird." },
    loading: "Deine Umwandlungen werden geladen",
    unreachable: {
      title: "Deine Umwandlungen konnten nicht geladen werden",
      text: "Auf dem Server sind sie sicher. Wir versuchen es weiter.",
      retry: "Noch einmal versuchen",
    },
    notify: {
      label: "Benachrichtigen, wenn eine Umwandlung endet",
      blocked:
        "Der Browser lässt diese Website nicht benachrichtigen. In seinen Einstellungen für die Website lässt sich das ändern.",
    },
    announce: {
      started: (title: string) => `${title} hat begonnen.`,
      quarter: (title: string, percent: string) => `${title}: ${percent}.`,
      ended: (title: string, outcome: string) => `${title} ist zu Ende: ${outcome}.`,
      ready: (title: string) => `${title} kann heruntergeladen werden.`,
      failed: (title: string, reason: string) => `${title} ist fehlgeschlagen. ${reason}`,
    },
  },

  network: {
    offline: "Keine Verbindung",
    kept: {
      list: "Anfragen, die auf die Verbindung warten",
      waiting: "Wartet auf Verbindung",
      takeBack: "Zurücknehmen",
      takeBackOf: (title: string) => `${title} zurücknehmen`,
      batch: (count: number) => plural(count, { one: `Stapel mit ${count} Link`, other: `Stapel mit ${count} Links` }),
    },
    away: {
      title: "Du bist offline",
      text: "Deine Umwandlungen sind auf dem Server sicher. Ein Link, den du jetzt einfügst, wird aufgehoben und gesendet, sobald du zurück bist.",
    },
    notices: {
      kept: {
        title: "Wartet auf Verbindung",
        description: "Deine Anfrage ist aufgehoben und wird einmal gesendet, sobald du wieder online bist.",
      },
      expired: {
        title: "Nicht gesendet",
        description:
          "Eine Anfrage hat länger als einen Tag auf die Verbindung gewartet und wurde verworfen. Starte sie neu, falls du sie noch brauchst.",
      },
      full: "Es warten schon zu viele Anfragen auf die Verbindung.",
    },
  },

  job: {
    waiting: "Wartet",
    failed: "Fehlgeschlagen",
    canceled: "Abgebrochen",
    expired: "Abgelaufen",
    expires: (when: string) => `läuft ${when} ab`,
    resumes: (when: string) => `Die Videoseite lässt uns warten; weiter ${when}`,
    attempt: (attempt: number) => `Versuch ${attempt}`,
    stages: { download: "Lädt", convert: "Wandelt um", store: "Speichert" },
    progress: (title: string) => `Fortschritt von ${title}`,
    download: "Laden",
    downloadOf: (title: string) => `${title} herunterladen`,
    cancel: "Abbrechen",
    cancelOf: (title: string) => `${title} abbrechen`,
    remove: "Entfernen",
    removeOf: (title: string) => `${title} entfernen`,
    retry: "Erneut",
    retryOf: (title: string) => `${title} wiederholen`,
    notices: {
      cancelFailed: { title: "Abbrechen fehlgeschlagen", description: "Die Umwandlung ließ sich nicht abbrechen" },
      removeFailed: { title: "Entfernen fehlgeschlagen", description: "Die Umwandlung ließ sich nicht entfernen" },
      retryFailed: { title: "Wiederholen fehlgeschlagen", description: "Die Umwandlung ließ sich nicht wiederholen" },
    },
  },

  batch: {
    name: (count: number) => plural(count, { one: `Stapel mit ${count} Video`, other: `Stapel mit ${count} Videos` }),
    list: "Umwandlungen dieses Stapels",
    progress: "Fortschritt des Stapels",
    cancelAll: "Alle abbrechen",
    retryFailed: "Fehlgeschlagene wiederholen",
    downloadAll: "Alle herunterladen",
    done: (count: number) => `${count} fertig`,
    failed: (count: number) => `${count} fehlgeschlagen`,
    canceled: (count: number) => `${count} abgebrochen`,
    working: (count: number) => `${count} in Arbeit`,
    waiting: (count: number) => `${count} wartend`,
  },

  figures: {
    percent: (percent: string) => `${percent} %`,
    secondsLeft: (seconds: string) => `noch ${seconds} s`,
    minutesLeft: (minutes: string) => `noch ${minutes} min`,
    hoursLeft: (hours: string) => `noch ${hours} h`,
    hoursAndMinutesLeft: (hours: string, minutes: string) => `noch ${hours} h ${minutes} min`,
    unknown: "Unbekannt",
  },

  pricing: {
    title: "Preise",
    free: { name: "Gratis", remark: "ohne Konto" },
    pro: { name: "Pro", remark: "jederzeit kündbar" },
    perMonth: (yearly: string, saving: string) => `im Monat oder ${yearly} im Jahr (du sparst ${saving})`,
    yours: "Das hast du",
    upgrade: "Zu Pro wechseln",
    qualities: (mp3: string, mp4: string) => `${mp3}, ${mp4}`,
    limits: (span: string, size: string) => `bis zu ${span} und ${size}`,
    limitsWithBatch: (span: string, size: string, links: number) =>
      `bis zu ${span} und ${size}, ${links} Links auf einmal`,
    kept: (span: string) => `Dateien liegen ${span} bereit`,
    keptFirstInQueue: (span: string) => `zuerst an der Reihe, ohne Werbung, Dateien liegen ${span} lang bereit`,
  },

  billing: {
    manage: "Abrechnung verwalten",
    paused:
      "Dein Abo ist pausiert: Es wird nichts abgebucht, und Pro ist aus. Schreib dem Support, dann geht es weiter.",
    updateCard: "Karte aktualisieren",
    assurance: "Jederzeit kündbar • Keine versteckten Kosten • 30 Tage Geld-zurück-Garantie",
    plans: {
      monthly: {
        name: "Monatlich",
        interval: "pro Monat",
        choose: "Monatlich wählen",
        priced: (price: string) => `Monatlich, ${price} pro Monat`,
        pay: (price: string) => `${price} pro Monat zahlen`,
        yours: "Dein Monatstarif",
      },
      yearly: {
        name: "Jährlich",
        interval: "pro Jahr",
        choose: "Jährlich wählen",
        priced: (price: string) => `Jährlich, ${price} pro Jahr`,
        pay: (price: string) => `${price} pro Jahr zahlen`,
        yours: "Dein Jahrestarif",
      },
    },
    mostPopular: "Am beliebtesten",
    save: (amount: string) => `${amount} gespart`,
    saveShare: (amount: string, share: string) => `${amount} gespart (${share})`,
    features: {
      name: "Was Pro kann",
      quality: (mp3: string, mp4: string) => `MP3 mit ${mp3}, MP4 mit ${mp4}`,
      limits: (span: string, size: string) => `Videos bis ${span}, Dateien bis ${size}`,
      batch: (links: number) => `Bis zu ${links} Links auf einmal`,
      kept: (span: string) => `Dateien liegen ${span} lang bereit`,
      fast: "Schnell verarbeitet: zuerst an der Reihe",
      noAds: "Keine Werbung",
    },
    choice: {
      title: "Wähl deinen Tarif.",
      lead: (percent: string) => `Beide Male dasselbe Pro; ein Jahr auf einmal kostet ${percent} weniger.`,
      titleForPro: "Du hast Pro.",
      leadForPro: "Alles hier unten gehört dir schon.",
      switch: "Wechsel unter „Abrechnung verwalten“",
      owned: "Du hast Pro",
      limits: {
        title: "Höhere Grenzen",
        text: (span: string, size: string, links: number) =>
          `Videos bis ${span} und Dateien bis ${size}, ${links} Links auf einmal.`,
      },
      quality: {
        title: "Beste Qualität",
        text: (mp3: string, mp4: string) => `MP3 mit ${mp3} und MP4 in ${mp4}, zuerst an der Reihe.`,
      },
      noAds: {
        title: "Werbefrei",
        text: (span: string) => `Nirgends Werbung, und Dateien liegen ${span} lang für dich bereit.`,
      },
    },
    subscribe: {
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
    },
    states: {
      settingUp: "Dein Abo wird eingerichtet …",
      back: "Zurück zum Umwandeln",
      unconfigured: {
        title: "Das Zahlungssystem ist nicht richtig eingerichtet",
        text: "Auf diesem Server sind keine Zahlungen eingerichtet. Es lässt sich also nichts kaufen, und es wurde nichts abgebucht. Alles andere funktioniert. Bitte sag unserem Support Bescheid.",
        contact: "Support kontaktieren",
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
    strip: {
      activating: "Pro wird freigeschaltet …",
      confirmed: "Die Zahlung ist bestätigt. Pro erscheint hier gleich.",
      isLong:
        "Das dauert länger als sonst. Es ist nichts weiter zu zahlen; Pro erscheint von selbst, hier oder bei deinem nächsten Besuch.",
      overdue: "Deine letzte Zahlung hat nicht geklappt. Aktualisiere deine Karte, um Pro zu behalten.",
      overdueBy: (date: string) =>
        `Deine letzte Zahlung hat nicht geklappt. Aktualisiere deine Karte bis ${date}, um Pro zu behalten.`,
      stopped:
        "Deine letzte Zahlung hat nicht geklappt, deshalb ist Pro beendet. Aktualisiere deine Karte, um es zurückzubekommen.",
      until: (date: string) => `Pro bis ${date}.`,
      cancelled: "Dein Abo ist gekündigt und verlängert sich nicht.",
      active: "Pro ist freigeschaltet. Danke!",
    },
    until: (date: string) => `Bis ${date}`,
    renews: (date: string) => `Verlängert sich am ${date}`,
    notices: {
      active: { title: "Zahlung erfolgreich", description: "Willkommen bei Pro! Dein Abo ist jetzt aktiv." },
      paymentFailed: {
        title: "Zahlung fehlgeschlagen",
        description: "Die Zahlung ließ sich nicht abschließen. Prüf die Karte und versuch es noch einmal.",
      },
      notConfirmed: {
        title: "Zahlung fehlgeschlagen",
        description:
          "Die Zahlung wurde nicht bestätigt, also wurde nichts abgebucht. Wähl einen Tarif, um es noch einmal zu versuchen.",
      },
      portalFailed: { title: "Fehler", description: "Die Abrechnung ließ sich nicht öffnen" },
      subscriptionFailed: { title: "Fehler", description: "Das Abo ließ sich nicht anlegen" },
      noSecret: { title: "Fehler", description: "Der Server hat nicht geschickt, was zum Zahlen nötig ist" },
    },
  },

  account: {
    welcome: (name: string) => `Willkommen, ${name}`,
    converter: "Umwandeln",
    logout: "Abmelden",
    totalConversions: "Umwandlungen",
    dataUsed: "Datenmenge",
    thisMonth: "In diesem Monat",
    status: "Kontostatus",
    tiers: { free: "Gratis", pro: "Pro" },
    recent: "Letzte Umwandlungen",
    none: "Noch keine Umwandlungen",
    start: "Jetzt umwandeln",
    badges: {
      waiting: "wartet",
      processing: "in Arbeit",
      completed: "fertig",
      failed: "fehlgeschlagen",
      canceled: "abgebrochen",
    },
    title: "Konto",
    export: "Meine Daten exportieren",
    signOutEverywhere: "Überall abmelden",
    delete: "Konto löschen",
    deleteEndsSubscription:
      "Dein Abo endet sofort: Es wird nichts mehr abgebucht, und Pro bleibt nicht bis zum Ende des bezahlten Zeitraums.",
    deleteExplained: {
      before:
        "Deine Dateien verschwinden sofort, deine Anmeldungen enden, und was über dich gespeichert ist, wird innerhalb von 30 Tagen entfernt. Gib zur Bestätigung",
      after: "ein.",
    },
    deleteForGood: "Mein Konto löschen",
    keep: "Behalten",
    loading: "Dein Konto wird geladen",
    unreachable: {
      title: "Diese Seite konnte nicht geladen werden",
      text: "Nichts ist verloren. Wir versuchen es weiter.",
      retry: "Noch einmal versuchen",
    },
    notices: {
      signOutFailed: {
        title: "Abmelden fehlgeschlagen",
        description: "Die Abmeldung auf allen Geräten hat nicht geklappt",
      },
      deletionFailed: { title: "Löschen fehlgeschlagen", description: "Das Konto ließ sich nicht löschen" },
    },
  },

  pro: {
    member: "Pro-Mitglied",
    features: "Was Pro kann",
    everything: "Alles",
    unlimited: "Unbegrenzt viele Umwandlungen",
    batchOf: (links: number) => `Stapel von ${links} Links`,
    hd: (mp4: string, mp3: string) => `HD ${mp4}/${mp3}`,
    storage: (days: number) => `${days} Tage Speicherung`,
    fileLimit: (megabytes: number) => `Dateien bis ${megabytes} MB`,
    monthlyLimit: (megabytes: number) => `${megabytes} MB im Monat`,
    completed: (count: number) => `${count} fertig`,
    active: (count: number) => `${count} in Arbeit oder wartend`,
    dataUsage: "Datenverbrauch",
  },
} satisfies Texts;
