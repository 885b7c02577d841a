import type { LoginTexts } from "./en.ts";

export const es: LoginTexts = {
  title: "Acceso para usuarios Pro",
  description: (links: number) =>
    `Inicia sesión en Tapedeck Pro: mejor calidad, vídeos más largos, ${links} enlaces a la vez y sin anuncios.`,
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
};
