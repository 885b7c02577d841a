import type { Texts } from "./en.ts";
import { pluralIn } from "./plural.ts";

const plural = pluralIn("es");

export const es = {
  errors: {
    invalid_link: "Introduce una URL de YouTube válida",
    unsupported_host: "Este enlace lleva a un sitio que Tapedeck no abre. Prueba con un enlace de un sitio compatible.",
    unavailable: "Ya no hay ningún vídeo en este enlace. Comprueba el enlace e inténtalo de nuevo.",
    private: "Este vídeo es privado. Pide a su dueño que lo haga público y vuelve a intentarlo.",
    members_only: "Este vídeo es solo para los miembros de pago de su canal, así que no se puede convertir.",
    login_required: "Este vídeo solo se puede ver tras iniciar sesión en su sitio, así que no se puede convertir.",
    geo_blocked: "Este vídeo no está disponible en el país donde está nuestro servidor.",
    live: "Es una emisión en directo. Vuelve cuando haya terminado.",
    playlist: "Este enlace es una lista de vídeos. Abre uno de ellos y pega su propio enlace.",
    too_long: "Este vídeo dura más de lo que permite tu plan.",
    too_large: "Este vídeo no cabe en el tamaño de archivo que permite tu plan.",
    site_blocked: "El sitio del vídeo nos rechaza en este momento. Inténtalo de nuevo dentro de unos minutos.",
    site_changed:
      "El sitio de vídeos ha cambiado y tenemos que adaptarnos. Ya lo sabemos: vuelve a intentarlo dentro de unas horas.",
    busy: "El sitio de vídeos nos pide esperar. Vuelve a intentarlo más tarde.",
    network: "Se cortó la conexión con el sitio del vídeo. Inténtalo de nuevo en un momento.",
    timeout: "El sitio del vídeo dejó de enviar datos. Inténtalo de nuevo en un momento.",
    storage: "Ahora mismo no hay espacio para guardar el archivo. Inténtalo de nuevo dentro de unos minutos.",
    internal: "Algo ha fallado por nuestra parte. Inténtalo de nuevo y escríbenos si vuelve a ocurrir.",
    bad_request: "No se pudo leer la petición. Recarga la página e inténtalo de nuevo.",
    bad_origin: "La petición no venía de este sitio. Recarga la página e inténtalo de nuevo.",
    sign_in_required: "Primero inicia sesión.",
    pro_required: "Para esto hace falta Pro.",
    not_found: "Esa conversión ya no existe.",
    conflict: "La conversión ha cambiado entretanto. Recarga la página para ver cómo está.",
    payload_too_large: "La petición es demasiado grande.",
    rate_limited: "Demasiadas peticiones. Espera un momento e inténtalo de nuevo.",
    unavailable_now: "El servicio no puede responder en este momento. Inténtalo de nuevo en unos segundos.",
    payment_unconfigured: "Los pagos no están configurados en este servidor.",
    already_subscribed: "Ya tienes una suscripción.",
    payment_provider:
      "No se puede contactar con el servicio de pago en este momento. Inténtalo de nuevo dentro de unos minutos.",
  },

  titles: {
    login: "Acceso Pro",
    dashboard: "Panel",
    pro: "Pro",
    notFound: "404 Página no encontrada",
    help: "Ayuda",
    contact: "Contacto",
    privacy: "Política de privacidad",
    terms: "Condiciones del servicio",
    plans: "Planes",
    subscribe: "Pasar a Pro",
  },
  descriptions: {
    home: "Pega un enlace de vídeo y obtén un MP3 o un MP4, con el progreso en directo. Sin necesidad de cuenta.",
    login: "Inicia sesión en Tapedeck Pro: mejor calidad, vídeos más largos, veinte enlaces a la vez y sin anuncios.",
    plans:
      "Tapedeck Pro al mes o al año: mejor calidad, vídeos más largos, veinte enlaces a la vez y sin anuncios. Cancela cuando quieras.",
  },

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
  },

  footer: {
    help: "Ayuda",
    contact: "Contacto",
    privacy: "Privacidad",
    terms: "Condiciones",
    language: "Idioma",
    colors: { label: "Colores", system: "Como el sistema", light: "Claro", dark: "Oscuro" },
    skip: "Saltar al contenido",
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
  },

  notFound: {
    title: "404 Página no encontrada",
    text: "No hay ninguna cinta en esta pletina. El convertidor sigue donde lo dejaste.",
    back: "Volver al convertidor",
  },

  login: {
    title: "Acceso para usuarios Pro",
    text: "Inicias sesión con nuestro servicio de acceso. Aquí no hay que escribir ninguna contraseña.",
    notSetUp: "El inicio de sesión no está configurado en este servidor.",
    password: "Contraseña",
    passwordHint: "Aquí no hace falta",
    signIn: "Entrar como usuario Pro",
    signingIn: "Iniciando sesión…",
    back: "Volver al inicio",
    errors: {
      unavailable:
        "No se puede contactar con el servicio de acceso en este momento. Inténtalo de nuevo dentro de unos minutos.",
      refused: "El acceso se rechazó o se canceló. Inténtalo de nuevo si no era tu intención.",
      expired: "El acceso tardó demasiado. Empieza de nuevo y funcionará.",
      invalid:
        "La respuesta del servicio de acceso no era de fiar, así que no se inició ninguna sesión. Inténtalo de nuevo.",
      rate_limited: "Demasiados accesos en poco tiempo. Espera un minuto e inténtalo de nuevo.",
    },
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
    found: (found: number, most: number) => `${found} de ${most}`,
    pasted: (count: number) => `Has pegado ${count} enlaces.`,
    isBatchNow: "Cada uno es ahora una línea de este lote.",
    firstKept: (count: number, most: number) =>
      `El primero de ${count} enlaces está en el campo. Con Pro caben hasta ${most} a la vez.`,
    dropHere: "Suelta el enlace aquí",
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
    refusedLines: "Líneas rechazadas",
    refused: (count: number) =>
      plural(count, { one: "No se inició una línea", other: `No se iniciaron ${count} líneas` }),
    editRefused: "Editarlas",
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
        description: "Pulsa Ctrl+V (⌘V en un Mac) para pegar el enlace.",
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
    loading: "Cargando tus conversiones",
    unreachable: {
      title: "No se pudieron cargar tus conversiones",
      text: "Están a salvo en el servidor. Seguimos intentándolo.",
      retry: "Intentar de nuevo",
    },
    notify: {
      label: "Avisarme cuando termine una conversión",
      blocked: "El navegador no permite que este sitio avise. Se puede cambiar en sus ajustes del sitio.",
    },
    announce: {
      started: (title: string) => `${title} ha empezado.`,
      quarter: (title: string, percent: string) => `${title}: ${percent}.`,
      ended: (title: string, outcome: string) => `${title} ha terminado: ${outcome}.`,
      ready: (title: string) => `${title} está listo para descargar.`,
      failed: (title: string, reason: string) => `${title} ha fallado. ${reason}`,
    },
  },

  network: {
    offline: "Sin conexión",
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
    failed: "Fallida",
    canceled: "Cancelada",
    expired: "Caducada",
    expires: (when: string) => `caduca ${when}`,
    resumes: (when: string) => `El sitio de vídeos nos pide esperar; sigue ${when}`,
    attempt: (attempt: number) => `intento ${attempt}`,
    stages: { download: "Descargando", convert: "Convirtiendo", store: "Guardando" },
    progress: (title: string) => `Progreso de ${title}`,
    download: "Descargar",
    downloadOf: (title: string) => `Descargar ${title}`,
    cancel: "Cancelar",
    cancelOf: (title: string) => `Cancelar ${title}`,
    remove: "Quitar",
    removeOf: (title: string) => `Quitar ${title}`,
    retry: "Repetir",
    retryOf: (title: string) => `Repetir ${title}`,
    notices: {
      cancelFailed: { title: "No se pudo cancelar", description: "No se pudo cancelar la conversión" },
      removeFailed: { title: "No se pudo quitar", description: "No se pudo quitar la conversión" },
      retryFailed: { title: "No se pudo reintentar", description: "No se pudo reintentar la conversión" },
    },
  },

  batch: {
    name: (count: number) => plural(count, { one: `Lote de ${count} vídeo`, other: `Lote de ${count} vídeos` }),
    list: "Conversiones de este lote",
    progress: "Progreso del lote",
    cancelAll: "Cancelar todo",
    retryFailed: "Reintentar las fallidas",
    downloadAll: "Descargar todo",
    done: (count: number) => plural(count, { one: `${count} lista`, other: `${count} listas` }),
    failed: (count: number) => plural(count, { one: `${count} fallida`, other: `${count} fallidas` }),
    canceled: (count: number) => plural(count, { one: `${count} cancelada`, other: `${count} canceladas` }),
    working: (count: number) => `${count} en curso`,
    waiting: (count: number) => `${count} en espera`,
  },

  figures: {
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
    perMonth: (yearly: string, saving: string) => `al mes, o ${yearly} al año (ahorras ${saving})`,
    yours: "Es tu plan",
    upgrade: "Pasar a Pro",
    qualities: (mp3: string, mp4: string) => `${mp3}, ${mp4}`,
    limits: (span: string, size: string) => `hasta ${span} y ${size}`,
    limitsWithBatch: (span: string, size: string, links: number) =>
      `hasta ${span} y ${size}, ${links} enlaces a la vez`,
    kept: (span: string) => `los archivos se guardan ${span}`,
    keptFirstInQueue: (span: string) => `primero en la cola, sin anuncios, los archivos se guardan ${span}`,
  },

  billing: {
    manage: "Gestionar la facturación",
    paused: "Tu suscripción está en pausa: no se cobra nada y Pro está desactivado. Escribe a la ayuda y se reanudará.",
    updateCard: "Actualizar la tarjeta",
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
    saveShare: (amount: string, share: string) => `Ahorra ${amount} (${share})`,
    features: {
      name: "Ventajas de Pro",
      quality: (mp3: string, mp4: string) => `MP3 a ${mp3}, MP4 a ${mp4}`,
      limits: (span: string, size: string) => `Vídeos de hasta ${span}, archivos de hasta ${size}`,
      batch: (links: number) => `Hasta ${links} enlaces a la vez`,
      kept: (span: string) => `Los archivos se guardan ${span}`,
      fast: "Proceso rápido: primero en la cola",
      noAds: "Sin anuncios",
    },
    choice: {
      title: "Elige tu plan.",
      lead: (percent: string) => `El mismo Pro en ambos casos; un año de una vez cuesta un ${percent} menos.`,
      titleForPro: "Ya tienes Pro.",
      leadForPro: "Todo lo de abajo ya es tuyo.",
      switch: "Cámbialo en «Gestionar la facturación»",
      owned: "Ya tienes Pro",
      limits: {
        title: "Límites más altos",
        text: (span: string, size: string, links: number) =>
          `Vídeos de hasta ${span} y archivos de hasta ${size}, ${links} enlaces a la vez.`,
      },
      quality: {
        title: "La mejor calidad",
        text: (mp3: string, mp4: string) => `MP3 a ${mp3} y MP4 en ${mp4}, primero en la cola.`,
      },
      noAds: {
        title: "Libre de anuncios",
        text: (span: string) => `Sin publicidad en ninguna parte, y los archivos te esperan ${span}.`,
      },
    },
    subscribe: {
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
    },
    states: {
      settingUp: "Preparando tu suscripción…",
      back: "Volver al convertidor",
      unconfigured: {
        title: "El sistema de pago no está bien configurado",
        text: "Los pagos no están configurados en este servidor, así que no se puede comprar nada y no se ha cobrado nada. Todo lo demás funciona. Avisa a nuestro equipo de ayuda.",
        contact: "Contactar con la ayuda",
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
    welcome: (name: string) => `Te damos la bienvenida, ${name}`,
    converter: "Convertidor",
    logout: "Cerrar sesión",
    totalConversions: "Conversiones",
    dataUsed: "Datos usados",
    thisMonth: "Este mes",
    status: "Estado de la cuenta",
    tiers: { free: "Gratis", pro: "Pro" },
    recent: "Conversiones recientes",
    none: "Aún no hay conversiones",
    start: "Empezar a convertir",
    badges: {
      waiting: "en espera",
      processing: "en curso",
      completed: "lista",
      failed: "fallida",
      canceled: "cancelada",
    },
    title: "Cuenta",
    export: "Exportar mis datos",
    signOutEverywhere: "Cerrar sesión en todas partes",
    delete: "Eliminar la cuenta",
    deleteEndsSubscription:
      "Tu suscripción termina al momento: no se cobra nada más y no conservas Pro durante el resto del periodo pagado.",
    deleteExplained: {
      before:
        "Tus archivos desaparecen al momento, tus sesiones terminan y lo que hay guardado sobre ti se elimina en un plazo de 30 días. Escribe",
      after: "para confirmar.",
    },
    deleteForGood: "Eliminar mi cuenta",
    keep: "Conservarla",
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

  pro: {
    member: "Miembro Pro",
    features: "Ventajas de Pro",
    everything: "Todo",
    unlimited: "Conversiones ilimitadas",
    batchOf: (links: number) => `Lotes de ${links} enlaces`,
    hd: (mp4: string, mp3: string) => `HD ${mp4}/${mp3}`,
    storage: (days: number) => `${days} días de almacenamiento`,
    fileLimit: (megabytes: number) => `Archivos de hasta ${megabytes} MB`,
    monthlyLimit: (megabytes: number) => `Límite mensual de ${megabytes} MB`,
    completed: (count: number) => plural(count, { one: `${count} lista`, other: `${count} listas` }),
    active: (count: number) => `${count} en curso o en espera`,
    dataUsage: "Uso de datos",
  },
} satisfies Texts;
