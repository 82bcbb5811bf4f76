import { ExternalError } from '@tollgate/diagnostics';
import type { HttpServer } from './http/server.ts';
import { readCertificate } from './listener/tls-files.ts';
import { SERVER_SETTINGS, type ServerSettings } from './settings/server-settings.ts';

/** What a reload did. */
export interface Reloaded {
  /** The names of the changed settings that are in use now. */
  readonly applied: readonly string[];
  /** The names of the changed settings that need a restart. */
  readonly needRestart: readonly string[];
}

/** The settings that a running server can change. */
const LIVE: ReadonlySet<string> = new Set([
  'logLevel',
  'rateLimit',
  'maxConcurrent',
  'requestTimeout',
  'shutdownTimeout',
]);

/** Applies changed settings without a pause; requests in progress are not affected. */
export function applySettings(server: HttpServer, before: ServerSettings, after: ServerSettings): Reloaded {
  const { app, admission } = server;
  const changed = SERVER_SETTINGS.map(({ name }) => name).filter(
    name => JSON.stringify(before[name]) !== JSON.stringify(after[name]),
  );
  app.log.level = after.logLevel;
  admission.adjust(after);
  app.server.requestTimeout = after.requestTimeout * 1000;
  return {
    applied: changed.filter(name => LIVE.has(name)),
    needRestart: changed.filter(name => !LIVE.has(name)),
  };
}

/** Uses the current contents of the certificate files for new connections. An invalid certificate changes nothing, and is logged. */
export function renewCertificate({ app }: HttpServer, settings: ServerSettings): void {
  try {
    const certificate = readCertificate(settings);
    if (certificate === undefined || !('setSecureContext' in app.server)) return;
    const { setSecureContext } = app.server as { readonly setSecureContext: (certificate: object) => void };
    setSecureContext.call(app.server, certificate);
    app.log.info('the TLS certificate was reloaded');
  } catch (error) {
    if (!(error instanceof ExternalError)) throw error;
    app.log.error({ err: error }, 'the TLS certificate was not reloaded; the previous one stays in use');
  }
}
