import type { Figures } from "../figures.ts";
import type { HelpTexts } from "./en.ts";

export const es = {
  title: "Ayuda",
  description:
    "Respuestas sobre cómo convertir enlaces de vídeo en MP3 y MP4, las cuentas y Pro, los problemas, las descargas y cuánto se guardan los archivos.",
  lead: "Las preguntas más frecuentes, respondidas en pocas líneas.",
  groups: (f: Figures) => [
    {
      title: "Primeros pasos",
      questions: [
        {
          question: "¿Cómo convierto un vídeo?",
          answer:
            "Pega el enlace en la página de inicio, elige MP3 para el sonido o MP4 para la imagen y pulsa Convertir. La conversión aparece en la lista de abajo y te cuenta lo que hace hasta que el archivo está listo. Si antes aparece «Descargar», púlsalo ya: recibes lo que hay y después el resto, a medida que se crea.",
        },
        {
          question: "¿Qué formato elijo?",
          answer: `MP3 suena en todas partes, MP4 lleva la imagen. El sonido original es el del propio vídeo, M4A u Opus: no se vuelve a codificar, así que no pierde nada y es el más rápido. ${f.proFormats} (Pro) son para programas que no aceptan otra cosa: ocupan más, no suenan mejor.`,
        },
        {
          question: "¿Puedo tener los subtítulos?",
          answer:
            "Sí, si el vídeo los tiene, también los que su sitio ha hecho de forma automática. Pulsa Opciones cuando veas la vista previa de tu enlace: con MP4 son una pista que puedes activar, y Transcripción hace con ellos un archivo propio: SRT o VTT con tiempos, o texto sin formato. Eliges un idioma; si no eliges, es el del vídeo, y lo que alguien ha escrito va antes que lo que ha oído una máquina. Si no hay ninguno, la vista previa lo dice.",
        },
        {
          question: "¿Puedo tomar solo una parte de un vídeo o cambiar su título?",
          answer:
            "Sí. Cuando veas la vista previa de tu enlace, pulsa Opciones: con dos tiradores y dos campos marcas dónde empieza y termina la parte, y debajo cambias el título, el artista, el álbum, la fecha y la descripción del archivo. Los límites de tu plan cuentan para la parte, así que unos minutos de una charla muy larga no son problema. Si el vídeo tiene capítulos, Pro puede hacer un archivo de cada uno, todos en un ZIP.",
        },
        {
          question: "¿Se pueden quitar los segmentos patrocinados?",
          answer:
            "Sí, cuando este sitio los consulta en SponsorBlock, una lista que mantienen los espectadores de YouTube, y tu vídeo tiene alguno: en Opciones puedes marcarlos como capítulos o cortarlos. Lo que se corta se vuelve a codificar. El sonido original se copia tal cual, así que ahí solo se pueden marcar.",
        },
        {
          question: "¿Qué enlaces funcionan?",
          answer:
            "Los enlaces a vídeos públicos de YouTube, en cualquiera de sus formas: la dirección de la página, un enlace corto youtu.be o el enlace a un short. También los enlaces a listas, canales, álbumes y pódcasts: eliges entre sus vídeos. Las emisiones en directo, los vídeos privados y los que piden iniciar sesión no se pueden convertir.",
        },
        {
          question: "¿Puedo convertir una lista o un canal?",
          answer: `Sí. Pega su enlace: sus vídeos aparecen bajo el campo, hasta ${f.listEntries}, y tú buscas en los títulos y eliges. El plan gratuito convierte uno cada vez. Con Pro eliges cuantos quieras; se convierten en lotes de ${f.pro.batch}, uno tras otro, también con la página cerrada.`,
        },
        {
          question: "¿Cuánto tarda una conversión?",
          answer: `Normalmente de ${f.usualFrom} a ${f.usualTo} minutos. Depende de la duración del vídeo y de lo ocupado que esté el servicio; las conversiones de los miembros Pro van primero.`,
        },
        {
          question: "¿Necesito una cuenta?",
          answer:
            "No. Sin ella conviertes enlaces de uno en uno dentro de los límites del plan gratuito. La cuenta es para Pro y para ver tus conversiones en todos tus dispositivos.",
        },
      ],
    },
    {
      title: "Cuenta",
      questions: [
        {
          question: "¿Qué me da Pro?",
          answer: `MP3 a ${f.pro.mp3} en lugar de ${f.free.mp3}, MP4 a ${f.pro.mp4} en lugar de ${f.free.mp4}, ${f.proFormats}, vídeos de hasta ${f.pro.length}, archivos de hasta ${f.pro.size}, hasta ${f.pro.batch} enlaces a la vez, archivos guardados durante ${f.pro.kept}, el primer lugar en la cola y ningún anuncio.`,
        },
        {
          question: "¿Cuánto cuesta?",
          answer: `${f.monthly} al mes o ${f.yearly} al año, con tarjeta. No hay otros gastos.`,
        },
        {
          question: "¿Cómo lo cancelo?",
          answer:
            "Cuando quieras, con unos pocos clics y sin dar motivos. Conservas las ventajas de Pro hasta el final del periodo que has pagado.",
        },
        {
          question: "¿Me devolvéis el dinero?",
          answer: `Sí. En los ${f.refund} siguientes a un pago te lo devolvemos íntegro; basta con que nos escribas.`,
        },
        {
          question: "¿Cómo elimino mi cuenta?",
          answer: `En tu panel, en Cuenta. Tus archivos desaparecen al momento y todo lo que hay guardado sobre ti se elimina en un plazo de ${f.deletion}.`,
        },
      ],
    },
    {
      title: "Asistencia técnica",
      questions: [
        {
          question: "¿Por qué ha fallado mi conversión?",
          answer:
            "La línea bajo el título dice por qué y qué puedes hacer. Algunos fallos son pasajeros: en ese caso, Repetir inicia la conversión de nuevo. Si un vídeo es privado, está bloqueado en el país de nuestro servidor o ya no existe, repetir no sirve.",
        },
        {
          question: "¿Por qué se rechaza mi enlace?",
          answer:
            "Casi siempre porque lleva a un sitio que no admitimos o a una página sin vídeo. Abre el propio vídeo y copia la dirección de su página.",
        },
        {
          question: "La página dice que está reconectando. ¿He perdido mi conversión?",
          answer:
            "No. Las conversiones se hacen en nuestro servidor y continúan sin ti. Cuando vuelve la conexión, la lista se pone al día sola.",
        },
        {
          question: "¿El servicio está siempre disponible?",
          answer: `Nuestro objetivo es el ${f.uptime} del tiempo. Es un objetivo, no una garantía; tras una interrupción, las conversiones en curso empiezan de nuevo por sí solas.`,
        },
      ],
    },
    {
      title: "Descargas y archivos",
      questions: [
        {
          question: "¿Cuánto tiempo se guardan mis archivos?",
          answer: `${f.free.kept} en el plan gratuito y ${f.pro.kept} con Pro, desde el momento en que están listos. Después se borran para siempre. Cada conversión terminada muestra el tiempo que queda.`,
        },
        {
          question: "¿Qué tamaño puede tener un archivo?",
          answer: `${f.free.size} y ${f.free.length} de vídeo en el plan gratuito, ${f.pro.size} y ${f.pro.length} con Pro. Si un vídeo resultara demasiado grande, usamos una calidad menor y te lo decimos, siempre que merezca la pena verlo.`,
        },
        {
          question: "Mi descarga se interrumpió. ¿Tengo que empezar de nuevo?",
          answer:
            "No. Los navegadores y gestores de descargas pueden seguir donde lo dejaron, mientras el archivo siga guardado.",
        },
        {
          question: "¿Quién puede ver mis archivos?",
          answer:
            "Solo tú: el navegador que los creó y, si has iniciado sesión, tus otros dispositivos. Un enlace de descarga no le funciona a nadie más.",
        },
        {
          question: "¿Qué puedo convertir?",
          answer:
            "Lo que puedas copiar: tus propios vídeos, obras de dominio público, obras cuya licencia lo permita y obras cuyo titular haya dado su permiso.",
        },
      ],
    },
  ],
  anywhere: {
    title: "Desde cualquier sitio",
    bookmark: {
      text: "Arrastra este botón a tus marcadores. En la página de un vídeo, pulsa el marcador: Tapedeck se abre con su enlace y muestra lo que se va a convertir.",
      name: "Convertir con Tapedeck",
      drag: "Arrástralo a tu barra de marcadores: aquí no hace nada al pulsarlo. Sin ratón, copia el código y úsalo como dirección de un marcador.",
      copy: "Copiar el código",
      copied: "Copiado. Úsalo como dirección de un marcador.",
    },
    shortcut: {
      title: "Desde el botón de compartir de un iPhone o iPad",
      steps: {
        token: "Crea en tu panel un token que pueda leer, convertir y descargar. Abajo aparece como TOKEN.",
        make: "En la app Atajos crea un atajo nuevo. En sus detalles activa «Mostrar en la hoja para compartir» y deja que reciba URL.",
        convert:
          "Añade «Obtener contenido de URL» con esta dirección, este método, esta cabecera y este cuerpo JSON. El valor de youtubeUrl es la variable Entrada del atajo.",
        answer:
          "Añade «Obtener valor del diccionario» para id. Si no hay valor, muestra el de message, que dice qué pasa, y detén el atajo.",
        look: "Añade «Repetir», 300 veces. Dentro pon «Obtener contenido de URL» con esta dirección, donde ID es el valor de id, y «Obtener valor del diccionario» para status.",
        file: "Si el estado es completed: «Obtener contenido de URL» con esta dirección, después «Guardar archivo» y después «Detener este atajo».",
        other:
          "Si el estado es failed: muestra el valor de error.message y detén el atajo. Si no: «Esperar» 2 segundos.",
      },
    },
    programs: {
      title: "Como extensión del navegador, en la línea de órdenes o en tu propio programa",
      text: "El código de Tapedeck incluye una extensión para Chrome y Firefox con un botón, y la orden tapedeck. Ambas funcionan con un token de tu panel. Todo lo que hacen también lo puede hacer tu propio programa:",
      link: "Cómo llaman los programas a Tapedeck",
    },
  },
  more: {
    title: "¿Aún tienes dudas?",
    text: "En la página de contacto están las preguntas frecuentes y la dirección de nuestro soporte.",
    button: "Contactar con soporte",
  },
} satisfies HelpTexts;
