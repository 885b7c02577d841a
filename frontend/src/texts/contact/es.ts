import type { Figures } from "../figures.ts";
import type { ContactTexts } from "./en.ts";

export const es = {
  title: "Contacto",
  description:
    "Escribe al soporte de Tapedeck: problemas técnicos, facturación, ideas, errores y colaboraciones, con los plazos en que respondemos.",
  lead: "¿Una pregunta, un problema o una idea? Cuéntanoslo.",
  form: {
    title: "Envía un mensaje",
    allRequired: "Todos los campos son obligatorios.",
    firstName: "Nombre",
    lastName: "Apellidos",
    email: "Correo electrónico",
    subject: "Asunto",
    choose: "Elige un asunto",
    subjects: {
      technical: "Asistencia técnica",
      billing: "Facturación",
      feature: "Sugerencia",
      bug: "Informe de error",
      general: "Pregunta general",
      partnership: "Colaboración",
    },
    message: "Mensaje",
    send: "Enviar mensaje",
    sending: "Enviando…",
    problems: {
      firstName: "Introduce tu nombre",
      lastName: "Introduce tus apellidos",
      email: "Introduce tu correo electrónico",
      emailFormat: "Introduce un correo como nombre@example.org",
      subject: "Elige un asunto",
      message: "Escribe un mensaje",
      messageLength: "Acorta el mensaje a 5000 caracteres",
    },
    notSent: "Mensaje no enviado",
    failures: {
      failed: "No se ha podido enviar tu mensaje, y el texto sigue aquí. Inténtalo más tarde o escríbenos por correo:",
      offline:
        "No hay conexión, y tu texto sigue aquí. Envíalo cuando vuelvas a tener conexión o escríbenos por correo:",
      limited: (when: string) => `Has enviado varios mensajes. Inténtalo de nuevo ${when} o escríbenos por correo:`,
    },
    needsScript: "Este formulario necesita JavaScript. Escribe mejor a nuestra dirección.",
    sent: {
      title: "Mensaje enviado",
      description: "¡Gracias por escribirnos! Te responderemos en un plazo de 24 horas.",
    },
  },
  times: {
    title: "Tiempos de respuesta",
    technical: "Asistencia técnica",
    billing: "Facturación",
    general: "Preguntas generales",
    pro: "Miembros Pro",
    within: (hours: number) => `en ${hours} horas como máximo`,
    priority: "prioridad: respondemos primero",
  },
  write: {
    title: "Escríbenos",
    text: "Envía un correo a la dirección de abajo. Indica un asunto, como facturación o un error, y lo que necesitamos saber para ayudarte.",
  },
  email: { title: "Por correo", text: "Si prefieres tu propio programa de correo:" },
  faq: {
    title: "Antes de escribir",
    questions: (f: Figures) => [
      {
        question: "Mi conversión ha fallado. ¿Qué os envío?",
        answer: "El enlace, el formato y la línea bajo el título en la lista. Normalmente no hace falta más.",
      },
      {
        question: "¿Cómo cancelo Pro o pido un reembolso?",
        answer: `Puedes cancelar cuando quieras y conservar Pro hasta el final del periodo pagado. Para un reembolso en los ${f.refund} siguientes a un pago basta un mensaje con el asunto Facturación.`,
      },
      {
        question: "¿Podéis recuperar un archivo caducado?",
        answer: `No. Los archivos se borran para siempre pasado su plazo: ${f.free.kept} (gratis) o ${f.pro.kept} (Pro). Convierte el enlace de nuevo.`,
      },
    ],
    more: "Más respuestas",
  },
} satisfies ContactTexts;
