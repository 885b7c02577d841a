import { WebSocketServer, type ServerOptions } from "ws";

/**
 * How long a browser may take to confirm that its connection is closed. The default of the library is 30 s, in which a
 * client that ignores the close frame would keep its connection.
 */
const CLOSE_MS = 2_000;

/** What Socket.IO opens for WebSockets. */
export class PromptlyClosingServer extends WebSocketServer {
  constructor(options: ServerOptions) {
    const withCloseTimeout = { ...options, closeTimeout: CLOSE_MS };
    super(withCloseTimeout);
  }
}
