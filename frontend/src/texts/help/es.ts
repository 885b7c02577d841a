import type { HelpTexts } from "./en.ts";

export const es = {
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
