import type { Texts } from "./en.ts";
import { pluralIn } from "./plural.ts";

const plural = pluralIn("de");

const ACCESS_BLOCKED =
  "Der Betreiber dieser Seite hat dein Netz, deinen Browser oder dein Konto gesperrt. Wenn du meinst, dass das ein Irrtum ist, melde dich bei uns.";

/** A further sentence about a limit; none where Pro allows no more. */
const upToWithPro = (most: string | null) => (most === null ? "" : ` Pro nimmt bis zu ${most}.`);

export const de = {
  errors: {
    invalid_link: "Bitte gib einen gültigen YouTube-Link ein",
    unsupported_host:
      "Dieser Link führt zu einer Seite, die Tapedeck nicht öffnet. Versuch es mit dem Link einer unterstützten Seite.",
    unavailable: "Unter diesem Link gibt es kein Video mehr. Prüf den Link und versuch es noch einmal.",
    private:
      "Dieses Video ist privat. Bitte den Besitzer, es öffentlich zu machen, und füg den Link dann noch einmal ein.",
    members_only: "Dieses Video ist nur für zahlende Mitglieder seines Kanals und lässt sich deshalb nicht umwandeln.",
    login_required:
      "Dieses Video ist nur nach einer Anmeldung auf seiner Seite zu sehen und lässt sich deshalb nicht umwandeln.",
    geo_blocked: "Dieses Video ist in dem Land, in dem unser Server steht, nicht verfügbar.",
    live: "Das ist ein Livestream. Komm wieder, wenn er zu Ende ist.",
    playlist:
      "Dieser Link ist eine Liste von Videos. Füge ihn auf der Startseite allein ein und wähl daraus, oder nimm den Link eines der Videos.",
    too_long: "Dieses Video ist länger, als dein Tarif erlaubt.",
    too_large: "Dieses Video passt nicht in die Dateigröße, die dein Tarif erlaubt.",
    part_outside: "Dieser Ausschnitt beginnt erst nach dem Ende des Videos. Wähle einen früheren Anfang.",
    no_subtitles: "Dieses Video hat keine Untertitel in dieser Sprache. Wähle eine andere Sprache oder keine.",
    no_chapters: "Dieses Video hat keine Kapitel. Wandle es als eine Datei um.",
    site_blocked: "Die Videoseite weist uns gerade ab. Versuch es in ein paar Minuten noch einmal.",
    site_changed:
      "Die Videoseite hat sich geändert, und wir müssen nachziehen. Wir wissen davon: Versuch es in ein paar Stunden noch einmal.",
    busy: "Die Videoseite lässt uns warten. Versuch es später noch einmal.",
    network: "Die Verbindung zur Videoseite ist abgebrochen. Versuch es gleich noch einmal.",
    timeout: "Die Videoseite sendet nichts mehr. Versuch es gleich noch einmal.",
    storage: "Im Moment ist kein Platz, um die Datei zu speichern. Versuch es in ein paar Minuten noch einmal.",
    blocked:
      "Der Betreiber dieser Seite hat dieses Video oder seine Quelle gesperrt. Wenn du meinst, dass das ein Irrtum ist, melde dich bei uns.",
    internal:
      "Bei uns ist etwas schiefgegangen. Versuch es noch einmal und melde dich bei uns, wenn es wieder passiert.",
    bad_request: "Die Anfrage war nicht lesbar. Lade die Seite neu und versuch es noch einmal.",
    bad_origin: "Die Anfrage kam nicht von dieser Seite. Lade die Seite neu und versuch es noch einmal.",
    sign_in_required: "Bitte melde dich zuerst an.",
    fresh_sign_in_required: "Bitte melde dich zuerst noch einmal an, damit wir wissen, dass du es bist.",
    invalid_token: "Dieses Token gilt nicht mehr. Erstelle auf deiner Übersicht ein neues.",
    missing_scope: "Dieses Token darf das nicht. Erstelle auf deiner Übersicht eines, das es darf.",
    pro_required: "Dafür brauchst du Pro.",
    not_found: "Diese Umwandlung gibt es nicht mehr.",
    conflict: "Die Umwandlung hat sich inzwischen geändert. Lade die Seite neu, um den Stand zu sehen.",
    payload_too_large: "Die Anfrage ist zu groß.",
    rate_limited: "Zu viele Anfragen. Warte einen Moment und versuch es noch einmal.",
    network_busy:
      "Aus deinem Netz laufen zu viele Umwandlungen oder Downloads, oder es sind zu viele Seiten offen. Versuch es noch einmal, wenn einige beendet sind.",
    queue_full: "Gerade warten zu viele Umwandlungen. Versuch es in ein paar Minuten noch einmal.",
    access_blocked: ACCESS_BLOCKED,
    unavailable_now: "Der Dienst kann gerade nicht antworten. Versuch es in ein paar Sekunden noch einmal.",
    payment_unconfigured: "Auf diesem Server sind keine Zahlungen eingerichtet.",
    already_subscribed: "Du hast schon ein Abo.",
    payment_provider: "Der Zahlungsdienst ist gerade nicht erreichbar. Versuch es in ein paar Minuten noch einmal.",
    message_not_sent:
      "Deine Nachricht konnte nicht gesendet werden. Schreib stattdessen an die Adresse auf der Kontaktseite.",
  },

  exactErrors: {
    no_sound: "Dieses Video hat keinen Ton, aus dem eine MP3 werden könnte.",
    no_such_sound: "Dieses Video hat keinen Ton mehr in dieser Sprache. Wähl eine andere Sprache.",
    no_subtitles_at_all: "Dieses Video hat keine Untertitel, also gibt es kein Transkript davon.",
    no_text_in_part: "In diesem Teil gibt es keine Untertitel. Wähl einen anderen Teil.",
    no_sound_in_part: "In diesem Teil gibt es keinen Ton. Wähl einen anderen Teil.",
    nothing_in_part: "In diesem Teil gibt es weder Ton noch Bild. Wähl einen anderen Teil.",
    subtitles_not_given:
      "Die Videoseite hat Untertitel zu diesem Video, hat sie uns aber nicht gegeben. Versuch es in ein paar Minuten noch einmal.",
    not_readable: "Unter diesem Link gibt es kein Video, das sich lesen lässt.",
    file_damaged:
      "Diese Datei ist beschädigt oder unvollständig und lässt sich nicht umwandeln. Versuch es mit einer anderen Kopie.",
    picture_only: "Dieser Link führt zu einem Bild, nicht zu einem Video.",
    copy_protected: "Dieses Video ist gegen Kopieren geschützt und kann deshalb nicht umgewandelt werden.",
    form_not_fetched:
      "Dieses Video kommt in einer Form, die hier nicht geladen werden kann, etwa RTMP oder Smooth Streaming.",
    wants_browser: "Die Videoseite antwortet nur Browsern, deshalb kann dieses Video nicht umgewandelt werden.",
    not_live_now: "Dieser Kanal sendet gerade nicht. Füge den Link einer seiner Aufzeichnungen ein.",
    refused_by_site: "Die Videoseite gibt dieses Video nicht her. Öffne den Link, um zu lesen, warum.",
    sound_not_readable: "Der Ton dieses Videos hat ein Format, das hier noch nicht gelesen werden kann, etwa xHE-AAC.",
    music_premium: "Dieser Song ist nur für Mitglieder von Music Premium und lässt sich deshalb nicht umwandeln.",
    paid_video: "Dieses Video muss auf seiner Seite bezahlt werden und lässt sich deshalb nicht umwandeln.",
    restricted_mode:
      "Die Videoseite verbirgt dieses Video vor dem Netz unseres Servers. Es lässt sich deshalb nicht umwandeln.",
    removed_for_copyright: "Dieses Video wurde wegen eines Urheberrechtsanspruchs entfernt.",
    live_just_ended:
      "Dieser Livestream ist gerade zu Ende, und seine Seite bereitet die Aufzeichnung noch vor. Versuch es in ein paar Stunden noch einmal.",
    still_processing: "Die Videoseite bereitet dieses Video noch vor. Versuch es in einer Stunde noch einmal.",
    script_not_run:
      "Wir konnten das Skript der Videoseite, das dieses Video brauchen kann, nicht ausführen. Der Fehler liegt bei uns: Versuch es später noch einmal.",
    long_advertisement:
      "Die Videoseite will vor diesem Video länger Werbung zeigen, als wir warten. Versuch es später noch einmal.",
    owner_blocked: ACCESS_BLOCKED,
    too_large_to_open: "Was unter diesem Link liegt, ist zu groß, um es zu öffnen.",
    too_many_pieces: "Dieses Video besteht aus mehr Teilen, als sich abrufen lassen.",
    needs_too_much_memory: "Dieses Video braucht zum Umwandeln mehr Speicher, als wir haben.",
    took_too_long: "Das Umwandeln dieses Videos hat zu lange gedauert.",
    leads_nowhere:
      "Dieser Link führt von einer Adresse zur nächsten und nie zu einem Video. Prüf den Link und versuch es noch einmal.",
    stopped_too_often:
      "Unser Server ist bei diesem Video dreimal ausgefallen. Melde dich bei uns, wenn du es brauchst.",
    no_songs: "Keiner der Titel konnte umgewandelt werden, also gibt es nichts zusammenzufügen.",
    link_cut_off: "Dieser Link ist abgeschnitten. Kopier ihn noch einmal ganz.",
    own_list: "Diese Liste zeigt YouTube nur dir. Leg ihre Videos in eine öffentliche Liste und füge deren Link ein.",
    mix: "Einen Mix stellt YouTube für jeden Besucher neu zusammen. Füge den Link eines seiner Videos ein.",
    live_embed: "Dieser Link zeigt, was der Kanal gerade live sendet. Füge den Link eines Videos ein.",
    search_page: "Dieser Link ist eine Suche. Öffne eines der gefundenen Videos und kopier dessen Link.",
    no_video_page: "Dieser Link führt zu einer Seite ohne eigenes Video. Öffne das Video und kopier dessen Link.",
    empty_list: "In dieser Liste ist kein Video.",
    listed_twice: "Dieser Link steht zweimal in der Liste",
    no_valid_link: "Bitte gib mindestens einen gültigen YouTube-Link ein",
    no_video_link: "Bitte gib einen gültigen Link zu einem Video ein",
    file_gone: "Diese Datei gibt es nicht mehr. Wandle den Link noch einmal um, um eine neue zu bekommen.",
    ended_before_cancel: "Diese Umwandlung ist gerade zu Ende gegangen, es gab also nichts mehr abzubrechen.",
    pro_granted: "Du hast Pro schon, als Geschenk von uns: Es gibt nichts zu bezahlen.",
    pro_by_credit: "Ein Guthaben auf deinem Konto hat Pro bezahlt: Es ist aktiv, und es gibt nichts mehr zu bezahlen.",
    payment_overdue:
      "Du hast ein Abo, dessen letzte Zahlung fehlgeschlagen ist. Erneuere die Karte unter „Abrechnung verwalten“.",
    subscription_paused:
      "Dein Abo ruht: Es wird nichts abgebucht, und Pro ist aus. Schreib uns an die Adresse auf der Kontaktseite, dann geht es weiter.",
    payment_disputed:
      "Deine Bank hat eine Zahlung für dein Abo zurückgeholt, deshalb ist Pro aus, bis das geklärt ist. Schreib uns an die Adresse auf der Kontaktseite, wenn das ein Irrtum ist.",
    payment_confirming: "Deine Zahlung wird gerade bestätigt. Pro erscheint hier gleich.",
    webhook_address: "Ein Webhook braucht eine https-Adresse mit dem üblichen Port, ohne Namen und Passwort darin.",
  },

  reasons: {
    longer_than_plan: (most: string, proMost: string | null) =>
      proMost === null
        ? `Länger als ${most}, mehr lässt sich nicht umwandeln.`
        : `Länger als ${most}. Pro nimmt bis zu ${proMost}.`,
    result_too_large: (needed: string, most: string, proMost: string | null) =>
      `Dieses Video bräuchte selbst in der niedrigsten Qualität ${needed}; dein Tarif erlaubt ${most}.${upToWithPro(proMost)}`,
    file_too_large: (needed: string, most: string, proMost: string | null) =>
      `Diese Datei bräuchte ${needed}; dein Tarif erlaubt ${most}.${upToWithPro(proMost)}`,
    format_for_pro: (format: string) => `${format} gibt es nur mit Pro.`,
    chapter_files_for_pro: "Eine Datei pro Kapitel gibt es nur mit Pro.",
    starts_later: (when: string) => `Dieses Video beginnt ungefähr am ${when}. Komm wieder, wenn es zu Ende ist.`,
    source_too_large: (source: string, most: string, proMost: string | null) =>
      `Dieses Video hat an seiner Quelle ${source}, zu viel für eine Datei von höchstens ${most}.${upToWithPro(proMost)}`,
    too_many_requests: (when: string) => `Zu viele Anfragen. Versuch es ${when} noch einmal.`,
    too_many_active: (active: number, most: number) =>
      `Bei dir ${plural(active, { one: "läuft eine Umwandlung", other: `laufen ${active} Umwandlungen` })}, und mehr als ${most} gehen nicht zugleich. Warte, bis eine fertig ist.`,
  },

  description: "Videolink einfügen und eine MP3 oder MP4 bekommen, mit Fortschritt in Echtzeit. Ganz ohne Konto.",

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
    proPage: "Pro-Seite",
    account: "Konto",
    menu: "Menü",
  },

  footer: {
    help: "Hilfe",
    contact: "Kontakt",
    privacy: "Datenschutz",
    terms: "Bedingungen",
    language: "Sprache",
    colors: { label: "Farben", system: "Wie das System", light: "Hell", dark: "Dunkel" },
    skip: "Zum Inhalt springen",
    install: "App installieren",
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
    failing: {
      youtube: {
        refusing: "YouTube weist uns gerade ab; Aufträge warten und starten von selbst.",
        changed: "YouTube hat sich geändert, die meisten Links scheitern gerade. Wir wissen davon.",
      },
    },
  },

  notFound: {
    title: "404 Seite nicht gefunden",
    text: "In diesem Deck liegt kein Band. Das Umwandeln ist noch da, wo du es verlassen hast.",
    back: "Zurück zum Umwandeln",
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
    fast: "Schnelle Verarbeitung",
    found: (found: number, most: number) => `${found} von ${most} Links gefunden`,
    pasted: (count: number) => `Du hast ${count} Links eingefügt.`,
    isBatchNow: "Jeder ist jetzt eine Zeile dieses Stapels.",
    firstKept: (count: number, most: number) =>
      `Der erste von ${count} Links steht im Feld. Mit Pro gehen bis zu ${most} auf einmal.`,
    dropHere: "Link hier ablegen",
    current: "Neueste Umwandlung",
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
    refusedLines: "Abgelehnte Links",
    refused: (count: number) =>
      plural(count, { one: "Ein Link wurde nicht gestartet", other: `${count} Links wurden nicht gestartet` }),
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
        description: "Drück Strg+V, am Mac ⌘V; auf dem Handy halt das Feld gedrückt und wähl Einfügen.",
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
    emptyRest: { title: "Keine weiteren Umwandlungen", text: "Sie sammeln sich hier, wenn du die nächste startest." },
    loading: "Deine Umwandlungen werden geladen",
    unreachable: {
      title: "Deine Umwandlungen konnten nicht geladen werden",
      text: "Auf dem Server sind sie sicher. Wir versuchen es weiter.",
      retry: "Noch einmal versuchen",
    },
    whenReady: "Wenn fertig …",
    notify: {
      label: "Benachrichtigen, wenn eine Umwandlung endet",
      blocked:
        "Der Browser lässt diese Website nicht benachrichtigen. In seinen Einstellungen für die Website lässt sich das ändern.",
    },
    tone: "Ton abspielen, wenn eine Umwandlung fertig ist",
    autoDownload: "Von selbst herunterladen, wenn eine Umwandlung fertig ist",
    announce: {
      started: (title: string) => `${title} hat begonnen.`,
      quarter: (title: string, percent: string) => `${title}: ${percent}.`,
      waits: (title: string, wait: string) => `${title}: ${wait}.`,
      ended: (title: string, outcome: string) => `${title} ist zu Ende: ${outcome}.`,
      ready: (title: string) => `${title} kann heruntergeladen werden.`,
      failed: (title: string, reason: string) => `${title} ist fehlgeschlagen. ${reason}`,
    },
  },

  network: {
    offline: "Keine Verbindung",
    updatedEvery: (seconds: number) => `alle ${seconds} s aktualisiert`,
    preview:
      "Du bist offline. Drücke „Umwandeln“: Der Link wird aufgehoben und gesendet, sobald du wieder online bist.",
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
    ready: "Fertig",
    downloaded: "Geladen ✓",
    failed: "Fehlgeschlagen",
    canceled: "Abgebrochen",
    blocked: "Entfernt",
    expired: "Abgelaufen",
    expires: (when: string) => `läuft ${when} ab`,
    siteWait: {
      later: (when: string) => `Die Videoseite lässt uns warten; weiter ${when}`,
      soon: "Die Videoseite lässt uns warten; gleich geht es weiter",
    },
    catchingUp: {
      later: (when: string) => `Die Videoseite hat sich geändert; weiter ${when}`,
      soon: "Die Videoseite hat sich geändert; gleich geht es weiter",
    },
    shortfalls: {
      site: (lines: string) => `${lines}: mehr gab die Seite nicht her`,
      site_within_plan: (lines: string) => `${lines}: mehr gab die Seite innerhalb deines Tarifs nicht her`,
      codec: (lines: string) => `${lines}: mehr gab die Seite nur in einem anderen Videoformat her`,
      file_size: (lines: string, size: string) => `${lines}, damit die Datei in ${size} passt`,
    },
    interlaced: "Zeilensprung: zu lang, um ihn zu entfernen",
    sponsorsUnknown: "Gesponserte Abschnitte unbekannt: unverändert",
    songsMissing: (titles: string) => `ohne ${titles}`,
    attempt: (attempt: number) => `Versuch ${attempt}`,
    stages: { download: "Lädt", convert: "Wandelt um", store: "Speichert" },
    early: "Schon abspielbar",
    offline: "Offline: läuft auf dem Server weiter",
    slower: "langsamer als erwartet",
    progress: (title: string) => `Fortschritt von ${title}`,
    download: "Laden",
    downloadOf: (title: string) => `${title} herunterladen`,
    cancel: "Abbrechen",
    cancelOf: (title: string) => `${title} abbrechen`,
    remove: "Entfernen",
    removeOf: (title: string) => `${title} entfernen`,
    removed: (title: string) => `Entfernt: ${title}`,
    undo: "Rückgängig",
    undoOf: (title: string) => `Entfernen von ${title} rückgängig machen`,
    retry: "Erneut",
    retryOf: (title: string) => `${title} wiederholen`,
    notices: {
      cancelFailed: { title: "Abbrechen fehlgeschlagen", description: "Die Umwandlung ließ sich nicht abbrechen" },
      removeFailed: { title: "Entfernen fehlgeschlagen", description: "Die Umwandlung ließ sich nicht entfernen" },
      retryFailed: { title: "Wiederholen fehlgeschlagen", description: "Die Umwandlung ließ sich nicht wiederholen" },
    },
  },

  waysOut: {
    asFormat: (format: string) => `Als ${format}`,
    asFormatOf: (title: string, format: string) => `${title} als ${format} umwandeln`,
    takePart: "Teil wählen",
    takePartOf: (title: string) => `Einen Teil von ${title} nehmen`,
    chooseAgain: "Anders wählen",
    chooseAgainOf: (title: string) => `Für ${title} anders wählen`,
    convertAgain: "Erneut umwandeln",
    convertAgainOf: (title: string) => `Erneut umwandeln: ${title}`,
    beyondPro: (span: string) => `Auch mit Pro sind es höchstens ${span}.`,
  },

  batch: {
    name: (count: number) => plural(count, { one: `Stapel mit ${count} Video`, other: `Stapel mit ${count} Videos` }),
    list: "Umwandlungen dieses Stapels",
    progress: "Fortschritt des Stapels",
    cancelAll: "Alle abbrechen",
    retryFailed: "Erneut versuchen",
    downloadAll: "Alle herunterladen",
    done: (count: number) => `${count} fertig`,
    failed: (count: number) => `${count} fehlgeschlagen`,
    canceled: (count: number) => `${count} abgebrochen`,
    working: (count: number) => `${count} in Arbeit`,
    waiting: (count: number) => `${count} wartend`,
  },

  figures: {
    original: "Original",
    lossless: "verlustfrei",
    originalSound: "Originalton",
    transcript: "Transkript",
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
    perMonth: (yearly: string, saving: string) => `pro Monat oder ${yearly} pro Jahr (spart ${saving})`,
    yours: "Das hast du",
    upgrade: "Zu Pro wechseln",
    limits: (span: string, size: string) => `bis zu ${span} und ${size}`,
    limitsWithBatch: (span: string, size: string, links: number) =>
      `bis zu ${span} und ${size}, ${links} Links auf einmal`,
    kept: (span: string) => `Dateien liegen ${span} bereit`,
    keptFirstInQueue: (span: string) => `zuerst an der Reihe, ohne Werbung, Dateien liegen ${span} lang bereit`,
    chapterFiles: "eine Datei pro Kapitel",
  },

  billing: {
    manage: "Abrechnung verwalten",
    paused:
      "Dein Abo ist pausiert: Es wird nichts abgebucht, und Pro ist aus. Schreib dem Support, dann geht es weiter.",
    updateCard: "Karte aktualisieren",
    contactSupport: "Support kontaktieren",
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
    features: {
      name: "Was Pro kann",
      quality: (mp3: string, mp4: string) => `MP3 mit ${mp3}, MP4 mit ${mp4}`,
      otherFormats: (list: string) => `Dazu ${list}`,
      limits: (span: string, size: string) => `Videos bis ${span}, Dateien bis ${size}`,
      batch: (links: number) => `Bis zu ${links} Links auf einmal`,
      kept: (span: string) => `Dateien liegen ${span} lang bereit`,
      fast: "Schnell verarbeitet: zuerst an der Reihe",
      noAds: "Keine Werbung",
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
    tiers: { free: "Gratis", pro: "Pro" },
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
} satisfies Texts;
