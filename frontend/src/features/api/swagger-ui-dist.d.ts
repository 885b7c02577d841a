/** The package has no types of its own. */
declare module "swagger-ui-dist/swagger-ui-es-bundle.js" {
  interface SwaggerUISettings {
    readonly domNode: HTMLElement;
    /** An OpenAPI document. */
    readonly spec: unknown;
    readonly deepLinking: boolean;
    readonly docExpansion: "list" | "full" | "none";
    readonly defaultModelsExpandDepth: number;
  }
  export default function SwaggerUI(settings: SwaggerUISettings): unknown;
}
