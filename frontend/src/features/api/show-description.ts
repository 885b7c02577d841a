import SwaggerUI from "swagger-ui-dist/swagger-ui-es-bundle.js";
import "swagger-ui-dist/swagger-ui.css";
import { LAYOUT, viewerParts } from "./viewer-parts.ts";
import "./viewer-look.css";

/**
 * Shows the description of this server's API.
 * @param place null: the page was left meanwhile
 * @throws TypeError if it does not arrive
 */
export async function showDescription(place: HTMLElement | null): Promise<void> {
  const answer = await fetch("/api/openapi.json");
  if (!answer.ok) throw new TypeError(`the description was refused with ${answer.status}`);
  const spec: unknown = await answer.json();
  if (!place) return;
  SwaggerUI({
    domNode: place,
    spec,
    deepLinking: true,
    docExpansion: "none",
    defaultModelsExpandDepth: 0,
    layout: LAYOUT,
    plugins: [viewerParts],
  });
}
