import type { Figures } from "../figures.ts";
import type { LegalText } from "../legal.ts";

export const es = (f: Figures): LegalText => ({
  title: "Condiciones del servicio",
  description:
    "Las reglas para usar Tapedeck: qué se puede convertir, los planes, el pago, la cancelación y los reembolsos, y dónde denunciar una obra.",
  dated: (date) => `Última actualización: ${date}`,
  contents: "Contenido",
  note: "Esta traducción está para facilitar la lectura. El texto que vale es el inglés.",
  lead: "Las reglas entre tú y nosotros, en palabras hechas para leerse. Al usar el servicio las aceptas.",
  sections: [
    {
      id: "the-service",
      title: "El servicio",
      paragraphs: [
        "Tapedeck crea un archivo MP3 o MP4 a partir del enlace a un vídeo que le das y te lo guarda durante un tiempo limitado. Algunos vídeos no se pueden convertir; el servicio dice entonces por qué.",
        "No ayudamos a nadie a saltarse una protección técnica, un inicio de sesión, un pago o una restricción de un sitio de vídeos, y el servicio no lo intenta.",
      ],
    },
    {
      id: "acceptable-use",
      title: "Uso aceptable",
      paragraphs: ["Tú decides qué conviertes y respondes por ello. Convierte solo lo que puedas copiar:"],
      points: [
        "obras tuyas;",
        "obras de dominio público o cuya licencia permita copiarlas;",
        "obras cuyo titular te haya permitido copiarlas;",
        "obras que la ley del lugar donde vives te permita copiar para ti.",
      ],
    },
    {
      id: "not-allowed",
      title: "Lo que no está permitido",
      paragraphs: ["No puedes:"],
      points: [
        "convertir obras que no puedes copiar, ni repartir copias que no puedes repartir;",
        "usar el servicio para algo ilícito o en contra de las condiciones del sitio al que lleva el enlace;",
        "saltarte los límites de tu plan, compartir una cuenta entre muchas personas o revender el servicio;",
        "atacar el servicio, sobrecargarlo o usarlo para llegar a sistemas que no son tuyos.",
      ],
    },
    {
      id: "takedown",
      title: "Denunciar una obra",
      paragraphs: [
        `Si tienes los derechos de una obra y ves que este servicio los vulnera, escribe a ${f.takedownEmail}. Indica la obra, el enlace en cuestión y cómo podemos localizarte, y declara que tienes los derechos o actúas en nombre de su titular.`,
        "Examinamos cada denuncia, eliminamos lo que haya que eliminar y cerramos las cuentas de quienes infringen de forma repetida. Los archivos son solo para quien los creó y desaparecen por sí solos en los plazos de más abajo.",
      ],
    },
    {
      id: "plans",
      title: "Planes y límites",
      paragraphs: ["Lo que da cada plan:"],
      points: [
        `Gratis: MP3 a ${f.free.mp3}, MP4 de hasta ${f.free.mp4}, ${f.free.otherFormats}, vídeos de hasta ${f.free.length}, archivos de hasta ${f.free.size}, guardados durante ${f.free.kept}. El plan gratuito muestra anuncios.`,
        `Pro: MP3 a ${f.pro.mp3}, MP4 de hasta ${f.pro.mp4}, ${f.pro.otherFormats}, vídeos de hasta ${f.pro.length}, archivos de hasta ${f.pro.size}, guardados durante ${f.pro.kept}, hasta ${f.pro.batch} enlaces a la vez, primero en la cola, sin anuncios.`,
        "Pasado ese tiempo, el archivo se borra y no se puede recuperar. Guarda tu propia copia.",
      ],
    },
    {
      id: "payment",
      title: "Pago y cancelación",
      paragraphs: [
        `Pro cuesta ${f.monthly} al mes o ${f.yearly} al año, se paga por adelantado con tarjeta a través de nuestro proveedor de pagos y se renueva solo hasta que lo canceles.`,
        "Puedes cancelar cuando quieras. Conservas las ventajas de Pro hasta el final del periodo de facturación y no se te cobra nada más.",
      ],
    },
    {
      id: "refunds",
      title: "Reembolsos",
      paragraphs: [
        `Hay una garantía de devolución de ${f.refund}: si no quedas satisfecho, escríbenos en los ${f.refund} siguientes a un pago y te lo devolvemos íntegro. Pro termina entonces.`,
      ],
    },
    {
      id: "accounts",
      title: "Cuentas",
      paragraphs: [
        "No compartas tu acceso; lo que ocurra con él cuenta como tuyo hasta que nos digas lo contrario.",
        `Puedes eliminar tu cuenta en tu panel. Tus archivos desaparecen al momento y sus datos se eliminan en un plazo de ${f.deletion}. Podemos suspender cuentas que incumplan estas condiciones; salvo que el asunto sea grave, antes te escribimos.`,
      ],
    },
    {
      id: "availability",
      title: "Disponibilidad",
      paragraphs: [
        `Las conversiones suelen tardar de ${f.usualFrom} a ${f.usualTo} minutos, y aspiramos a estar disponibles el ${f.uptime} del tiempo. Son objetivos, no garantías: los sitios de vídeos cambian y las máquinas fallan.`,
      ],
    },
    {
      id: "liability",
      title: "Responsabilidad",
      paragraphs: [
        "El servicio se ofrece tal como es. En la medida en que la ley lo permita, no respondemos de los archivos que no pudieron crearse, se crearon mal o se perdieron, ni de los daños indirectos, y por lo demás solo hasta lo que nos hayas pagado en los últimos doce meses. Nada de esto limita los derechos que la ley te da como consumidor.",
      ],
    },
    {
      id: "changes",
      title: "Cambios y contacto",
      paragraphs: [
        "Si estas condiciones cambian, su fecha también cambia, y quienes tienen una suscripción se enteran antes de que entren en vigor y pueden cancelar.",
        `Preguntas: ${f.supportEmail}.`,
      ],
    },
  ],
});
