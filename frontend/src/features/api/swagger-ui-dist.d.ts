/** The package has no types of its own. */
declare module "swagger-ui-dist/swagger-ui-es-bundle.js" {
  /** What a plugin gets. */
  export interface ViewerSystem {
    readonly React: {
      readonly createElement: (type: unknown, props: object | null, ...children: unknown[]) => unknown;
    };
    /** Immutable. */
    readonly Im: { readonly List: (items: readonly unknown[]) => unknown };
  }
  interface SwaggerUISettings {
    readonly domNode: HTMLElement;
    /** An OpenAPI document. */
    readonly spec: unknown;
    readonly deepLinking: boolean;
    readonly docExpansion: "list" | "full" | "none";
    readonly defaultModelsExpandDepth: number;
    /** Name of a component. */
    readonly layout: string;
    readonly plugins: readonly ((system: ViewerSystem) => object)[];
  }
  export default function SwaggerUI(settings: SwaggerUISettings): unknown;
}
