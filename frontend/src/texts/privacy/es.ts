import type { Figures } from "../figures.ts";
import type { LegalText } from "../legal.ts";

export const es = (f: Figures): LegalText => ({
  title: "Política de privacidad",
  description:
    "Qué guarda Tapedeck sobre sus visitantes, durante cuánto tiempo, quién lo ve y cómo pedir que se borre.",
  dated: (date) => `Última actualización: ${date}`,
  contents: "Contenido",
  note: "Esta traducción está para facilitar la lectura. El texto que vale es el inglés.",
  lead: "Guardamos lo que una conversión necesita, mientras lo necesita, y no vendemos nada a nadie. Esta página dice qué es.",
  sections: [
    {
      id: "what-we-store",
      title: "Qué guardamos",
      paragraphs: ["Depende de lo que hagas aquí:"],
      points: [
        "Si conviertes algo: el enlace, el título, la duración y la miniatura del vídeo, el formato, cómo fue la conversión y el archivo terminado.",
        "Si inicias sesión: el correo electrónico y el nombre que nos comunica el servicio de acceso, y tu plan. Nunca vemos tu contraseña.",
        "Si pagas Pro: el número que te asigna el proveedor de pagos y el estado de tu suscripción. Los números de tarjeta van de tu navegador al proveedor de pagos y nunca nos llegan.",
        "Si nos escribes con el formulario de contacto: nada en este sitio. Tu mensaje llega a nuestro buzón como correo, con tu nombre, tu dirección y tu plan.",
        "En todos los casos: un número al azar que identifica tu navegador, para que solo tú veas tus conversiones, y recuentos de corta duración de las peticiones, descargas y páginas abiertas por dirección de red, que mantienen el servicio equitativo. Una conversión gratuita se guarda hasta su final con un código de su red, del que no se puede leer la dirección.",
      ],
    },
    {
      id: "how-long",
      title: "Cuánto tiempo lo conservamos",
      paragraphs: ["Cada tipo de dato tiene su propio final:"],
      points: [
        `Archivos terminados: ${f.free.kept} en el plan gratuito, ${f.pro.kept} con Pro. Después se borran.`,
        `La ficha de una conversión, con su enlace, su título y su miniatura: hasta que la quites o, si no, ${f.records} después de que desaparezca su archivo.`,
        `Registros de uso, que cuentan las conversiones y sus tamaños: ${f.logs}.`,
        `Webhooks: hasta que los quites. El texto de un mensaje: hasta que tu programa lo acepte, un día como máximo; qué fue de él: ${f.webhookLog}.`,
        `Tu cuenta: hasta que la elimines. Tus archivos desaparecen entonces al momento, y todos los datos de la cuenta se eliminan en un plazo de ${f.deletion}.`,
        "Si bloqueamos una red, un navegador o una cuenta por un uso indebido: qué está bloqueado y por qué, hasta que se levante el bloqueo; el registro de esas decisiones, dos años.",
        "Si hacemos algo con tu cuenta o tus conversiones, como conceder Pro o responder a una solicitud sobre tus datos: qué fue y cuándo, con el número de la cuenta, un año.",
        "Justificantes de pago: el tiempo que la ley fiscal nos exige a nosotros y al proveedor de pagos.",
        `Copias de seguridad, por si falla un disco: ${f.backups} como máximo. Lo que se borra aquí desaparece de ellas en ese plazo, y una cuenta eliminada sigue eliminada cuando se usa una copia.`,
      ],
    },
    {
      id: "what-for",
      title: "Para qué lo usamos",
      paragraphs: [
        "Para convertir lo que has pedido, para mostrarte a ti y a nadie más cómo va, para respetar los límites de los planes, para cobrar Pro, para responderte cuando escribes y para detectar fallos y abusos. No elaboramos perfiles ni usamos lo que conviertes para nada más.",
      ],
    },
    {
      id: "cookies",
      title: "Las cookies y tu navegador",
      paragraphs: [
        "Ponemos dos cookies: una contiene el número de tu navegador; la otra, tu sesión, si la hay. Ambas son necesarias para que el servicio funcione y los scripts no pueden leerlas. Si eliges un idioma, lo guarda una tercera cookie, para que te enviemos nuestras páginas en él. Tu elección de colores se queda en tu navegador y no se nos envía.",
        "No hay cookies de publicidad ni de medición. Los anuncios del plan gratuito forman parte de nuestras propias páginas: no se carga nada de los anunciantes y nadie sabe que los has visto. Solo el proveedor de pagos puede poner cookies propias donde pagas, contra el fraude.",
      ],
    },
    {
      id: "who-else",
      title: "Quién más ve los datos",
      paragraphs: ["Solo aquellos sin los que el servicio no puede funcionar:"],
      points: [
        "El sitio del vídeo, al que nuestro servidor pide el vídeo. Ve la dirección de nuestro servidor, no la tuya; las imágenes y los títulos te llegan a través de nosotros.",
        "El servicio de acceso, si inicias sesión.",
        "El proveedor de pagos, si pagas.",
        "El proveedor de nuestro buzón, si nos escribes.",
        "Tu propio programa, si creas un webhook para él: sabe qué conversiones tuyas han terminado.",
        "Las autoridades, si la ley nos obliga.",
      ],
    },
    {
      id: "your-rights",
      title: "Tus derechos",
      paragraphs: [
        "Puedes exportar todo lo que hay guardado en tu cuenta y eliminarlo: ambas cosas están en tu panel, en Cuenta. Para corregir algo, y para todo lo demás, escríbenos; para eso no hace falta cuenta.",
        "También puedes reclamar ante la autoridad de protección de datos del lugar donde vives.",
      ],
    },
    {
      id: "security",
      title: "Seguridad",
      paragraphs: [
        "Las conexiones van cifradas, y los archivos solo puede descargarlos el navegador o la persona que los creó. Si aun así algo falla y afecta a tus datos, te avisamos sin demora.",
      ],
    },
    {
      id: "children",
      title: "Menores",
      paragraphs: ["El servicio no está pensado para menores de 13 años y no guardamos datos sobre ellos a sabiendas."],
    },
    {
      id: "changes",
      title: "Cambios y contacto",
      paragraphs: [
        "Si esta página cambia, su fecha también cambia, y quienes tienen cuenta se enteran de los cambios importantes antes de que entren en vigor.",
        `Preguntas sobre tus datos: ${f.supportEmail}.`,
      ],
    },
  ],
});
