import type { Texts } from "./en.ts";
import { pluralIn } from "./plural.ts";

const plural = pluralIn("es");

const ACCESS_BLOCKED =
  "El operador de este sitio ha bloqueado tu red, tu navegador o tu cuenta. Si crees que es un error, escríbenos.";

/** A further sentence about a limit; none where Pro allows no more. */
const upToWithPro = (most: string | null) => (most === null ? "" : ` Pro admite hasta ${most}.`);

export const es = {
  errors: {
    invalid_link: "Introduce una URL de YouTube válida",
    unsupported_host: "Este enlace lleva a un sitio que Tapedeck no abre. Prueba con un enlace de un sitio compatible.",
    unavailable: "Ya no hay ningún vídeo en este enlace. Comprueba el enlace e inténtalo de nuevo.",
    private: "Este vídeo es privado. Pide a su dueño que lo haga público y vuelve a pegar el enlace.",
    members_only: "Este vídeo es solo para los miembros de pago de su canal, así que no se puede convertir.",
    login_required: "Este vídeo solo se puede ver tras iniciar sesión en su sitio, así que no se puede convertir.",
    geo_blocked: "Este vídeo no está disponible en el país donde está nuestro servidor.",
    live: "Es una emisión en directo. Vuelve cuando haya terminado.",
    playlist:
      "Este enlace es una lista de vídeos. Pégalo solo en la página de inicio para elegir, o pega el enlace de uno de los vídeos.",
    too_long: "Este vídeo dura más de lo que permite tu plan.",
    too_large: "Este vídeo no cabe en el tamaño de archivo que permite tu plan.",
    part_outside: "Este fragmento empieza después del final del vídeo. Elige un inicio anterior.",
    no_subtitles: "Este vídeo no tiene subtítulos en ese idioma. Elige otro idioma o ninguno.",
    no_chapters: "Este vídeo no tiene capítulos. Conviértelo en un solo archivo.",
    site_blocked: "El sitio del vídeo nos rechaza en este momento. Inténtalo de nuevo dentro de unos minutos.",
    site_changed:
      "El sitio de vídeos ha cambiado y tenemos que adaptarnos. Ya lo sabemos: vuelve a intentarlo dentro de unas horas.",
    busy: "El sitio de vídeos nos pide esperar. Vuelve a intentarlo más tarde.",
    network: "Se cortó la conexión con el sitio del vídeo. Inténtalo de nuevo en un momento.",
    timeout: "El sitio del vídeo dejó de enviar datos. Inténtalo de nuevo en un momento.",
    storage: "Ahora mismo no hay espacio para guardar el archivo. Inténtalo de nuevo dentro de unos minutos.",
    blocked:
      "El operador de este sitio ha bloqueado este vídeo o el lugar del que viene. Si crees que es un error, escríbenos.",
    internal: "Algo ha fallado por nuestra parte. Inténtalo de nuevo y escríbenos si vuelve a ocurrir.",
    bad_request: "No se pudo leer la petición. Recarga la página e inténtalo de nuevo.",
    bad_origin: "La petición no venía de este sitio. Recarga la página e inténtalo de nuevo.",
    sign_in_required: "Primero inicia sesión.",
    fresh_sign_in_required: "Primero vuelve a iniciar sesión, para que sepamos que eres tú.",
    invalid_token: "Este token ya no funciona. Crea uno nuevo en tu panel.",
    missing_scope: "Este token no permite eso. Crea en tu panel uno que lo permita.",
    pro_required: "Para esto hace falta Pro.",
    not_found: "Esa conversión ya no existe.",
    conflict: "La conversión ha cambiado entretanto. Recarga la página para ver cómo está.",
    payload_too_large: "La petición es demasiado grande.",
    rate_limited: "Demasiadas peticiones. Espera un momento e inténtalo de nuevo.",
    network_busy:
      "Hay demasiadas conversiones, descargas o páginas abiertas desde tu red. Inténtalo de nuevo cuando terminen algunas.",
    queue_full: "Hay demasiadas conversiones en espera en este momento. Inténtalo de nuevo en unos minutos.",
    access_blocked: ACCESS_BLOCKED,
    unavailable_now: "El servicio no puede responder en este momento. Inténtalo de nuevo en unos segundos.",
    payment_unconfigured: "Los pagos no están configurados en este servidor.",
    already_subscribed: "Ya tienes una suscripción.",
    payment_provider:
      "No se puede contactar con el servicio de pago en este momento. Inténtalo de nuevo dentro de unos minutos.",
    message_not_sent: "No se ha podido enviar tu mensaje. Escribe a la dirección de la página de contacto.",
  },

  exactErrors: {
    no_sound: "Este vídeo no tiene sonido para hacer un MP3.",
    no_such_sound: "Este vídeo ya no tiene sonido en ese idioma. Elige otro idioma.",
    no_subtitles_at_all: "Este vídeo no tiene subtítulos, así que no hay transcripción.",
    no_text_in_part: "En esta parte no hay subtítulos. Elige otra parte.",
    no_sound_in_part: "En esta parte no hay sonido. Elige otra parte.",
    nothing_in_part: "En esta parte no hay ni sonido ni imagen. Elige otra parte.",
    subtitles_not_given:
      "El sitio tiene subtítulos para este vídeo, pero no nos los ha dado. Vuelve a intentarlo en unos minutos.",
    not_readable: "Este enlace no lleva a un vídeo que se pueda leer.",
    file_damaged: "Este archivo está dañado o incompleto y no se puede convertir. Prueba con otra copia.",
    picture_only: "Este enlace lleva a una imagen, no a un vídeo.",
    copy_protected: "Este vídeo está protegido contra copia, así que no se puede convertir.",
    form_not_fetched: "Este vídeo llega en una forma que aquí no se puede obtener, como RTMP o Smooth Streaming.",
    wants_browser: "El sitio del vídeo solo responde a navegadores, así que este vídeo no se puede convertir.",
    not_live_now: "Este canal no está en directo ahora. Pega el enlace de una de sus grabaciones.",
    refused_by_site: "El sitio del vídeo no da este vídeo. Abre el enlace para leer por qué.",
    sound_not_readable: "El sonido de este vídeo está en un formato que aquí aún no se puede leer, como xHE-AAC.",
    music_premium: "Esta canción es solo para miembros de Music Premium, así que no se puede convertir.",
    paid_video: "Este vídeo es de pago en su sitio, así que no se puede convertir.",
    restricted_mode:
      "El sitio de vídeos oculta este vídeo a la red de nuestro servidor, así que no se puede convertir.",
    removed_for_copyright: "Este vídeo se retiró por una reclamación de derechos de autor.",
    live_just_ended:
      "Esta emisión en directo acaba de terminar y su sitio aún prepara la grabación. Vuelve a intentarlo dentro de unas horas.",
    still_processing: "El sitio de vídeos todavía está preparando este vídeo. Vuelve a intentarlo dentro de una hora.",
    script_not_run:
      "No hemos podido ejecutar el script del sitio de vídeos que este vídeo puede necesitar. El fallo es nuestro: vuelve a intentarlo más tarde.",
    long_advertisement:
      "El sitio de vídeos quiere mostrar anuncios antes de este vídeo durante más tiempo del que esperamos. Vuelve a intentarlo más tarde.",
    owner_blocked: ACCESS_BLOCKED,
    too_large_to_open: "Lo que hay en este enlace es demasiado grande para abrirlo.",
    too_many_pieces: "Este vídeo viene en más partes de las que se pueden descargar.",
    needs_too_much_memory: "Convertir este vídeo necesita más memoria de la que tenemos.",
    took_too_long: "La conversión de este vídeo ha tardado demasiado.",
    leads_nowhere:
      "Este enlace lleva de una dirección a otra y nunca a un vídeo. Revisa el enlace y vuelve a intentarlo.",
    stopped_too_often:
      "Nuestro servidor se detuvo tres veces mientras trabajaba en este vídeo. Escríbenos si lo necesitas.",
    no_songs: "No se pudo convertir ninguna de las canciones, así que no hay nada que unir.",
    link_cut_off: "Este enlace está cortado. Cópialo otra vez entero.",
    own_list:
      "YouTube solo te muestra esta lista a ti. Pasa sus vídeos a una lista pública y pega el enlace de esa lista.",
    mix: "YouTube crea cada mix para un solo visitante. Pega el enlace de uno de sus vídeos.",
    live_embed: "Este enlace muestra lo que el canal emite en directo ahora. Pega el enlace de un vídeo.",
    search_page: "Este enlace es una búsqueda. Abre uno de los vídeos encontrados y copia su enlace.",
    no_video_page: "Este enlace lleva a una página sin un vídeo propio. Abre el vídeo y copia su enlace.",
    empty_list: "No hay ningún vídeo en esta lista.",
    listed_twice: "Este enlace está dos veces en la lista",
    no_valid_link: "Introduce al menos una URL de YouTube válida",
    no_video_link: "Introduce un enlace válido a un vídeo",
    file_gone: "Este archivo ya no está aquí. Convierte el enlace otra vez para obtener uno nuevo.",
    ended_before_cancel: "Esta conversión acaba de terminar, así que ya no había nada que cancelar.",
    pro_granted: "Ya tienes Pro, cortesía nuestra: no hay nada que pagar.",
    pro_by_credit: "El saldo de tu cuenta ha pagado Pro: está activo y no hay nada más que pagar.",
    payment_overdue:
      "Tienes una suscripción cuyo último pago falló. Actualiza la tarjeta en «Gestionar la facturación».",
    subscription_paused:
      "Tu suscripción está en pausa: no se cobra nada y Pro está desactivado. Escríbenos a la dirección de la página de contacto y continuará.",
    payment_disputed:
      "Tu banco ha retirado un pago de tu suscripción, así que Pro está desactivado hasta que se resuelva. Escríbenos a la dirección de la página de contacto si es un error.",
    payment_confirming: "Tu pago se está confirmando. Pro aparecerá aquí enseguida.",
    webhook_address: "Un webhook necesita una dirección https en el puerto habitual, sin usuario ni contraseña.",
  },

  reasons: {
    longer_than_plan: (most: string, proMost: string | null) =>
      proMost === null
        ? `Dura más de ${most}, lo máximo que se puede convertir.`
        : `Dura más de ${most}. Pro admite hasta ${proMost}.`,
    result_too_large: (needed: string, most: string, proMost: string | null) =>
      `Este vídeo ocuparía ${needed} en la calidad más baja; tu plan permite ${most}.${upToWithPro(proMost)}`,
    file_too_large: (needed: string, most: string, proMost: string | null) =>
      `Este archivo ocuparía ${needed}; tu plan permite ${most}.${upToWithPro(proMost)}`,
    format_for_pro: (format: string) => `${format} es solo para Pro.`,
    chapter_files_for_pro: "Un archivo por capítulo es solo para Pro.",
    starts_later: (when: string) => `Este vídeo empieza hacia esta hora: ${when}. Vuelve cuando haya terminado.`,
    source_too_large: (source: string, most: string, proMost: string | null) =>
      `Este vídeo ocupa ${source} en su origen, demasiado para un archivo de ${most} como máximo.${upToWithPro(proMost)}`,
    too_many_requests: (when: string) => `Demasiadas solicitudes. Vuelve a intentarlo ${when}.`,
    too_many_active: (active: number, most: number) =>
      `Tienes ${plural(active, { one: "una conversión", other: `${active} conversiones` })} en curso y el máximo a la vez es ${most}. Espera a que termine una.`,
  },

  description: "Pega un enlace de vídeo y obtén un MP3 o un MP4, con el progreso en directo. Sin necesidad de cuenta.",

  nav: {
    sections: "Secciones",
    converter: "Convertidor",
    pricing: "Precios",
    proUser: "Usuario Pro",
    freeUser: "Usuario gratuito",
    dashboard: "Panel",
    logout: "Cerrar sesión",
    login: "Acceso Pro",
    upgrade: "Pasar a Pro",
    proPage: "Página Pro",
    account: "Cuenta",
    menu: "Menú",
  },

  footer: {
    help: "Ayuda",
    contact: "Contacto",
    privacy: "Privacidad",
    terms: "Condiciones",
    language: "Idioma",
    colors: { label: "Colores", system: "Como el sistema", light: "Claro", dark: "Oscuro" },
    skip: "Saltar al contenido",
    install: "Instalar la app",
  },

  debug: {
    title: "Diagnóstico",
    device: (id: string) => `Dispositivo ${id}`,
    auth: (isSignedIn: boolean) => `Sesión iniciada: ${isSignedIn ? "sí" : "no"}`,
    user: (id: string | null) => `Usuario ${id ?? "anónimo"}`,
  },

  ads: {
    mark: "Anuncio",
    names: { header: "Anuncio superior", leaderboard: "Anuncio central", footer: "Anuncio inferior" },
    header: "Escucha lo que guardas: auriculares de estudio, 20\u00a0% de descuento esta semana.",
    leaderboard:
      "Tu música merece algo mejor que los altavoces del portátil. Auriculares de estudio cerrados, 20\u00a0% de descuento esta semana.",
    footer: "Hechos para noches largas: auriculares que olvidas que llevas puestos.",
  },

  failure: {
    title: "Esta página ha dejado de funcionar",
    text: "Tus conversiones están a salvo y continúan sin ella. Recarga la página para verlas.",
    reload: "Recargar la página",
    offlineTitle: "Esta página llegará cuando vuelva la conexión",
    offlineText: "No tienes conexión. Entonces se abrirá sola; tus conversiones continúan sin ella.",
  },

  toasts: {
    region: (hotkey: string) => `Avisos (${hotkey})`,
    dismiss: "Cerrar",
    languageFailed: {
      title: "El idioma no ha cambiado",
      description: "No se pudo cargar. Comprueba la conexión e inténtalo de nuevo.",
    },
  },

  home: {
    title: { first: "Pega un enlace.", second: "Quédate la cinta." },
    lead: "MP3 o MP4 a partir de un enlace de vídeo, con una barra que dice la verdad. Sin necesidad de cuenta.",
    usual: (span: string) => `Suele estar listo en ${span}`,
    failing: {
      youtube: {
        refusing: "YouTube nos rechaza ahora; las conversiones esperan y empiezan solas.",
        changed: "YouTube ha cambiado y casi todos los enlaces fallan por ahora. Lo sabemos.",
      },
    },
  },

  notFound: {
    title: "404 Página no encontrada",
    text: "No hay ninguna cinta en esta pletina. El convertidor sigue donde lo dejaste.",
    back: "Volver al convertidor",
  },

  converter: {
    name: "Convertidor",
    mode: "Modo",
    single: "Un enlace",
    batch: "Lote",
    format: "Formato",
    link: "Enlace del vídeo",
    linkPlaceholder: "Pega un enlace",
    links: "Enlaces de vídeos, uno por línea",
    linksPlaceholder: "Pega enlaces de vídeos, uno por línea",
    paste: "Pegar",
    cancel: "Cancelar",
    convert: "Convertir",
    convertAll: "Convertir todo",
    starting: "Iniciando…",
    trySample: "Probar un enlace de muestra",
    proMakesIt: (quality: string) => `con Pro ${quality}`,
    fast: "Proceso rápido",
    found: (found: number, most: number) => `${found} de ${most} URL encontradas`,
    pasted: (count: number) => `Has pegado ${count} enlaces.`,
    isBatchNow: "Cada uno es ahora una línea de este lote.",
    firstKept: (count: number, most: number) =>
      `El primero de ${count} enlaces está en el campo. Con Pro caben hasta ${most} a la vez.`,
    dropHere: "Suelta el enlace aquí",
    current: "Última conversión",
    preview: {
      name: "Vista previa",
      hint: "Pega un enlace en cualquier parte de esta página, o suéltalo, y verás aquí adónde lleva.",
      loading: "Mirando el enlace",
      announce: (title: string, length: string) => `${title}; duración: ${length}.`,
      about: (size: string) => `unos ${size}`,
      sizeUnknown: "tamaño desconocido",
      doesNotFit: "Supera lo que permite tu plan.",
      failed: "No se puede mostrar este enlace de antemano. Quizá se pueda convertir de todos modos.",
    },
    refusedLines: "Enlaces rechazados",
    refused: (count: number) =>
      plural(count, { one: "No se inició un enlace", other: `No se iniciaron ${count} enlaces` }),
    editRefused: "Editarlos",
    line: (line: number) => `Línea ${line}: `,
    problems: {
      empty: "Introduce una URL de YouTube",
      unknown: "Introduce una URL de YouTube válida",
      noLinks: "Introduce al menos una URL de YouTube válida",
      tooMany: (most: number) => `Con Pro se pueden convertir hasta ${most} enlaces a la vez`,
    },
    notices: {
      invalid: "Enlace no válido",
      noLinks: "No hay enlaces válidos",
      tooMany: "Demasiados enlaces",
      started: { title: "Conversión iniciada", description: "¡Tu vídeo se ha añadido a la cola!" },
      failed: { title: "La conversión ha fallado", description: "No se pudo iniciar la conversión" },
      canceled: { title: "Conversión cancelada", description: "La conversión del enlace se ha cancelado" },
      batchStarted: {
        title: "Lote iniciado",
        description: (count: number) =>
          plural(count, { one: `Procesando ${count} vídeo`, other: `Procesando ${count} vídeos` }),
      },
      batchFailed: { title: "El lote ha fallado", description: "No se pudo iniciar el lote" },
      nothingPasted: {
        title: "No se ha pegado nada",
        description: "Pulsa Ctrl+V, o ⌘V en un Mac; en un móvil, mantén pulsado el campo y elige Pegar.",
      },
    },
  },

  queue: {
    title: "Tu cola",
    list: "Conversiones",
    reconnecting: "Reconectando…",
    working: (count: number) => `${count} en curso`,
    waiting: (count: number) => `${count} en espera`,
    showAll: (count: number) => `Mostrar las ${count}`,
    empty: { title: "Aún no hay nada", text: "Pega un enlace arriba y mira cómo se convierte en un archivo." },
    emptyRest: { title: "No hay más conversiones", text: "Aparecerán aquí cuando empieces la siguiente." },
    loading: "Cargando tus conversiones",
    unreachable: {
      title: "No se pudieron cargar tus conversiones",
      text: "Están a salvo en el servidor. Seguimos intentándolo.",
      retry: "Intentar de nuevo",
    },
    whenReady: "Al terminar…",
    notify: {
      label: "Avisarme cuando termine una conversión",
      blocked: "El navegador no permite que este sitio avise. Se puede cambiar en sus ajustes del sitio.",
    },
    tone: "Reproducir un tono cuando una conversión esté lista",
    autoDownload: "Descargar automáticamente cuando una conversión esté lista",
    announce: {
      started: (title: string) => `${title} ha empezado.`,
      quarter: (title: string, percent: string) => `${title}: ${percent}.`,
      waits: (title: string, wait: string) => `${title}: ${wait}.`,
      ended: (title: string, outcome: string) => `${title} ha terminado: ${outcome}.`,
      ready: (title: string) => `${title} está listo para descargar.`,
      failed: (title: string, reason: string) => `${title} ha fallado. ${reason}`,
    },
  },

  network: {
    offline: "Sin conexión",
    updatedEvery: (seconds: number) => `actualizado cada ${seconds} s`,
    preview: "No tienes conexión. Pulsa «Convertir»: el enlace se guarda y se envía cuando vuelvas a tenerla.",
    kept: {
      list: "Peticiones que esperan la conexión",
      waiting: "Esperando la conexión",
      takeBack: "Retirar",
      takeBackOf: (title: string) => `Retirar ${title}`,
      batch: (count: number) => plural(count, { one: `Lote de ${count} enlace`, other: `Lote de ${count} enlaces` }),
    },
    away: {
      title: "No tienes conexión",
      text: "Tus conversiones están a salvo en el servidor. Un enlace que pegues ahora se guarda y se envía cuando vuelvas.",
    },
    notices: {
      kept: {
        title: "Esperando la conexión",
        description: "Tu petición queda guardada y se enviará una vez cuando vuelvas a tener conexión.",
      },
      expired: {
        title: "No enviada",
        description:
          "Una petición esperó la conexión más de un día y se ha descartado. Empiézala de nuevo si aún la necesitas.",
      },
      full: "Ya hay demasiadas peticiones esperando la conexión.",
    },
  },

  job: {
    waiting: "En espera",
    ready: "Lista",
    downloaded: "Descargada ✓",
    failed: "Fallida",
    canceled: "Cancelada",
    blocked: "Eliminado",
    expired: "Caducada",
    expires: (when: string) => `caduca ${when}`,
    siteWait: {
      later: (when: string) => `El sitio de vídeos nos pide esperar; sigue ${when}`,
      soon: "El sitio de vídeos nos pide esperar; sigue enseguida",
    },
    catchingUp: {
      later: (when: string) => `El sitio de vídeos ha cambiado; sigue ${when}`,
      soon: "El sitio de vídeos ha cambiado; sigue enseguida",
    },
    shortfalls: {
      site: (lines: string) => `${lines}: el sitio no dio más`,
      site_within_plan: (lines: string) => `${lines}: el sitio no dio más dentro de tu plan`,
      codec: (lines: string) => `${lines}: el sitio solo dio más en otro formato de vídeo`,
      file_size: (lines: string, size: string) => `${lines} para no pasar de ${size}`,
    },
    interlaced: "entrelazado: demasiado largo para corregirlo",
    sponsorsUnknown: "segmentos patrocinados desconocidos: sin cambios",
    songsMissing: (titles: string) => `sin ${titles}`,
    attempt: (attempt: number) => `intento ${attempt}`,
    stages: { download: "Descargando", convert: "Convirtiendo", store: "Guardando" },
    early: "Ya reproducible",
    offline: "Sin conexión: sigue en el servidor",
    slower: "más lento de lo esperado",
    progress: (title: string) => `Progreso de ${title}`,
    download: "Descargar",
    downloadOf: (title: string) => `Descargar ${title}`,
    cancel: "Cancelar",
    cancelOf: (title: string) => `Cancelar ${title}`,
    remove: "Quitar",
    removeOf: (title: string) => `Quitar ${title}`,
    removed: (title: string) => `Quitado: ${title}`,
    undo: "Deshacer",
    undoOf: (title: string) => `Deshacer la eliminación de ${title}`,
    retry: "Repetir",
    retryOf: (title: string) => `Repetir ${title}`,
    notices: {
      cancelFailed: { title: "No se pudo cancelar", description: "No se pudo cancelar la conversión" },
      removeFailed: { title: "No se pudo quitar", description: "No se pudo quitar la conversión" },
      retryFailed: { title: "No se pudo reintentar", description: "No se pudo reintentar la conversión" },
    },
  },

  waysOut: {
    asFormat: (format: string) => `Como ${format}`,
    asFormatOf: (title: string, format: string) => `Convertir ${title} como ${format}`,
    takePart: "Tomar una parte",
    takePartOf: (title: string) => `Tomar una parte de ${title}`,
    chooseAgain: "Elegir de nuevo",
    chooseAgainOf: (title: string) => `Elegir de nuevo para ${title}`,
    convertAgain: "Convertir de nuevo",
    convertAgainOf: (title: string) => `Convertir de nuevo: ${title}`,
    beyondPro: (span: string) => `Incluso con Pro, el máximo es de ${span}.`,
  },

  batch: {
    name: (count: number) => plural(count, { one: `Lote de ${count} vídeo`, other: `Lote de ${count} vídeos` }),
    list: "Conversiones de este lote",
    progress: "Progreso del lote",
    cancelAll: "Cancelar todo",
    retryFailed: "Reintentar fallidas",
    downloadAll: "Descargar todo",
    done: (count: number) => plural(count, { one: `${count} lista`, other: `${count} listas` }),
    failed: (count: number) => plural(count, { one: `${count} fallida`, other: `${count} fallidas` }),
    canceled: (count: number) => plural(count, { one: `${count} cancelada`, other: `${count} canceladas` }),
    working: (count: number) => `${count} en curso`,
    waiting: (count: number) => `${count} en espera`,
  },

  figures: {
    original: "original",
    lossless: "sin pérdida",
    originalSound: "sonido original",
    transcript: "transcripción",
    percent: (percent: string) => `${percent} %`,
    secondsLeft: (seconds: string) => `quedan ${seconds} s`,
    minutesLeft: (minutes: string) => `quedan ${minutes} min`,
    hoursLeft: (hours: string) => `quedan ${hours} h`,
    hoursAndMinutesLeft: (hours: string, minutes: string) => `quedan ${hours} h ${minutes} min`,
    unknown: "Desconocido",
  },

  pricing: {
    title: "Precios",
    free: { name: "Gratis", remark: "sin necesidad de cuenta" },
    pro: { name: "Pro", remark: "cancela cuando quieras" },
    perMonth: (yearly: string, saving: string) => `al mes o ${yearly} al año (ahorra ${saving})`,
    yours: "Es tu plan",
    upgrade: "Pasar a Pro",
    limits: (span: string, size: string) => `hasta ${span} y ${size}`,
    limitsWithBatch: (span: string, size: string, links: number) =>
      `hasta ${span} y ${size}, ${links} enlaces a la vez`,
    kept: (span: string) => `los archivos se guardan ${span}`,
    keptFirstInQueue: (span: string) => `primero en la cola, sin anuncios, los archivos se guardan ${span}`,
    chapterFiles: "un archivo por capítulo",
  },

  billing: {
    manage: "Gestionar la facturación",
    paused: "Tu suscripción está en pausa: no se cobra nada y Pro está desactivado. Escribe a la ayuda y se reanudará.",
    updateCard: "Actualizar la tarjeta",
    contactSupport: "Contactar con la ayuda",
    assurance: "Cancela cuando quieras • Sin cargos ocultos • Garantía de devolución de 30 días",
    plans: {
      monthly: {
        name: "Mensual",
        interval: "al mes",
        choose: "Elegir el mensual",
        priced: (price: string) => `Mensual, ${price} al mes`,
        pay: (price: string) => `Pagar ${price} al mes`,
        yours: "Tu plan mensual",
      },
      yearly: {
        name: "Anual",
        interval: "al año",
        choose: "Elegir el anual",
        priced: (price: string) => `Anual, ${price} al año`,
        pay: (price: string) => `Pagar ${price} al año`,
        yours: "Tu plan anual",
      },
    },
    mostPopular: "El más elegido",
    save: (amount: string) => `Ahorra ${amount}`,
    features: {
      name: "Ventajas de Pro",
      quality: (mp3: string, mp4: string) => `MP3 a ${mp3}, MP4 a ${mp4}`,
      otherFormats: (list: string) => `También ${list}`,
      limits: (span: string, size: string) => `Vídeos de hasta ${span}, archivos de hasta ${size}`,
      batch: (links: number) => `Hasta ${links} enlaces a la vez`,
      kept: (span: string) => `Los archivos se guardan ${span}`,
      fast: "Proceso rápido: primero en la cola",
      noAds: "Sin anuncios",
    },
    strip: {
      activating: "Activando Pro…",
      confirmed: "El pago está confirmado. Pro aparece aquí en un momento.",
      isLong:
        "Está tardando más de lo normal. No hay nada más que pagar; Pro aparece solo, aquí o en tu próxima visita.",
      overdue: "Tu último pago no se completó. Actualiza tu tarjeta para conservar Pro.",
      overdueBy: (date: string) =>
        `Tu último pago no se completó. Actualiza tu tarjeta antes del ${date} para conservar Pro.`,
      stopped: "Tu último pago no se completó, así que Pro se ha detenido. Actualiza tu tarjeta para recuperarlo.",
      until: (date: string) => `Pro hasta el ${date}.`,
      cancelled: "Tu suscripción está cancelada y no se renovará.",
      active: "Pro está activo. ¡Gracias!",
    },
    until: (date: string) => `Hasta el ${date}`,
    renews: (date: string) => `Se renueva el ${date}`,
    notices: {
      active: {
        title: "Pago completado",
        description: "¡Te damos la bienvenida a Pro! Tu suscripción ya está activa.",
      },
      paymentFailed: {
        title: "El pago falló",
        description: "No se pudo completar el pago. Comprueba la tarjeta e inténtalo de nuevo.",
      },
      notConfirmed: {
        title: "El pago falló",
        description: "El pago no se confirmó, así que no se ha cobrado nada. Elige un plan para intentarlo de nuevo.",
      },
      portalFailed: { title: "Algo ha fallado", description: "No se pudo abrir la facturación" },
      subscriptionFailed: { title: "Algo ha fallado", description: "No se pudo crear la suscripción" },
      noSecret: { title: "Algo ha fallado", description: "El servidor no envió lo necesario para pagar" },
    },
  },

  account: {
    tiers: { free: "Gratis", pro: "Pro" },
    loading: "Cargando tu cuenta",
    unreachable: {
      title: "No se pudo cargar esta página",
      text: "No se ha perdido nada. Seguimos intentándolo.",
      retry: "Intentar de nuevo",
    },
    notices: {
      signOutFailed: { title: "No se pudo cerrar sesión", description: "No se pudo cerrar sesión en todas partes" },
      deletionFailed: { title: "No se pudo eliminar", description: "No se pudo eliminar la cuenta" },
    },
  },
} satisfies Texts;
