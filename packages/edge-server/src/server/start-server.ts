// Assembles a server from its parts, starts and stops it, and changes the settings of a running one.

import { fileURLToPath } from 'node:url';
import { ExternalError } from '@tollgate/diagnostics';
import { createDelivery } from '../events/deliver.ts';
import { type Dispatcher, startDispatcher } from '../events/dispatcher.ts';
import { createAuthenticator, createKey, type NewKey } from '../security/api-keys.ts';
import { createSecretBox, keyringOf, proveKeys, type SecretBox } from '../security/encryption.ts';
import { type BodyChecks, createBodyChecks, THREAD_FILE } from '../service/body-checks.ts';
import { sealPlainSecrets } from '../service/configuration.ts';
import type { ServiceContext } from '../service/context.ts';
import { createService } from '../service/service.ts';
import { SERVER_SETTINGS, type ServerSettings } from '../settings/settings.ts';
import { createKsuidSource, type KsuidSource } from '../store/ksuid.ts';
import { openStore } from '../store/open-store.ts';
import type { Delivery, RecordWriter, Store } from '../store/store.ts';
import { createHttpServer, type HttpServer, watchProgram } from './http-server.ts';
import { listen, readCertificate, watchCertificate } from './listen.ts';
import { createTelemetry, type Telemetry } from './telemetry.ts';

/** The environment of a server other than files and the network. */
export interface ServerEnvironment {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly now: () => number;
  /** The version of the program, for metrics. */
  readonly version?: string;
  /** Writes a line to standard output, for events that are sent there. */
  readonly writeLine: (line: string) => void;
  /** Writes a line of the log, as JSON. */
  readonly log: (line: string) => void;
  /** The module of the threads that check policies, for programs that are bundled; the one of this package by default. */
  readonly threadFile?: URL;
}

/** A running server. */
export interface RunningServer {
  /** The URL that the server listens on. */
  readonly url: string;
  /** The API key created because there was none; only in development. */
  readonly firstKey: NewKey | undefined;
  readonly store: Store;
  /** Loads the policy engine on a thread, so that the first policy does not wait for it. */
  readonly getReady: () => void;
  /** Uses changed settings from now on where possible, and the current contents of the certificate files. */
  readonly reload: (settings: ServerSettings) => Reloaded;
  /** Waits for running requests, up to the configured timeout, and closes the store. */
  readonly stop: () => Promise<void>;
}

/**
 * Starts a server.
 *
 * @throws ExternalError if the port, the database or a key is not available
 */
export async function startServer(settings: ServerSettings, world: ServerEnvironment): Promise<RunningServer> {
  const store = await openStore(settings.database, world.now);
  const running: { dispatcher?: Dispatcher; server?: HttpServer } = {};
  const bodies = createBodyChecks(settings, world.threadFile ?? THREAD_FILE);
  const waking = wakingStore(store, () => running.dispatcher?.wake());
  try {
    const box = createSecretBox(await keyringOf(settings, world.env, store));
    await proveKeys(store, box);
    await sealPlainSecrets({ store, box });
    const newKsuid = createKsuidSource(world.now);
    const telemetry = createTelemetry({
      inFlight: () => running.server?.admission.inFlight() ?? 0,
      pending: store.outbox.pending,
      dead: store.outbox.dead,
    });
    const server = assemble(settings, world, { store: waking, box, bodies, newKsuid, telemetry });
    running.server = server;
    const firstKey = settings.development ? await firstKeyOf(store, newKsuid) : undefined;
    const url = await listen(server.app, settings);
    const dispatcher = dispatch(settings, world, { store, box, server, telemetry });
    running.dispatcher = dispatcher;
    let current = settings;
    const stopTrimming = trimChanges(settings, store, world, server);
    const unwatch = watchCertificate(settings, () => renewCertificate(server, current));
    return {
      url,
      firstKey,
      store,
      getReady: bodies.getReady,
      reload: next => {
        const reloaded = applySettings(server, current, next);
        current = { ...next, tlsCertFile: settings.tlsCertFile, tlsKeyFile: settings.tlsKeyFile };
        renewCertificate(server, current);
        return reloaded;
      },
      stop: () => {
        unwatch();
        stopTrimming();
        return stop({ server, dispatcher, bodies, store, telemetry }, current);
      },
    };
  } catch (error) {
    await store.close();
    throw error;
  }
}

/** How often old entries of the record of changes are deleted, in milliseconds. */
const TRIM = 3_600_000;

/** Deletes old entries of the record of changes, now and every hour. Returns a function that ends this. */
function trimChanges(
  { changesKept }: ServerSettings,
  { changes }: Store,
  { now }: ServerEnvironment,
  { app }: HttpServer,
): () => void {
  const trim = () => {
    changes.trim(now() - changesKept * 86_400_000).catch((error: unknown) => {
      app.log.error({ err: error }, 'cannot delete old changes');
    });
  };
  trim();
  const timer = setInterval(trim, TRIM).unref();
  return () => clearInterval(timer);
}

interface Parts {
  readonly store: Store;
  readonly box: SecretBox;
}

interface ServiceParts extends Parts {
  readonly bodies: BodyChecks;
  /** One source for the whole process, so that records are listed in the order of their creation. */
  readonly newKsuid: KsuidSource;
  readonly telemetry: Telemetry;
}

function assemble(settings: ServerSettings, world: ServerEnvironment, parts: ServiceParts): HttpServer {
  const { store, box, bodies, newKsuid, telemetry } = parts;
  const { now } = world;
  const context: ServiceContext = {
    store,
    box,
    newKsuid,
    now,
    bodies,
    accountId: `ac_${store.identity}`,
    rules: {
      reservations: settings.reservations,
      privateDestinations: settings.privateDestinations || settings.development,
      eventFiles: settings.eventsFolder !== '',
      host: URL.parse(settings.publicUrl)?.hostname ?? 'localhost',
    },
  };
  return createHttpServer({
    settings,
    certificate: readCertificate(settings),
    store,
    newKsuid,
    now,
    telemetry,
    service: createService(context),
    authenticator: createAuthenticator(store, now),
    log: world.log,
    version: world.version ?? 'unknown',
    isReplaced: watchProgram([THREAD_FILE, new URL(import.meta.url)].map(url => fileURLToPath(url))),
  });
}

async function firstKeyOf(store: Store, newKsuid: KsuidSource): Promise<NewKey | undefined> {
  if ((await store.count('api_key')) > 0) return undefined;
  const scopes = ['read', 'write', 'admin'] as const;
  return await createKey(store, { description: 'created at first start', scopes, expiresAt: undefined }, newKsuid);
}

interface DispatchParts extends Parts {
  readonly server: HttpServer;
  readonly telemetry: Telemetry;
}

function dispatch(
  settings: ServerSettings,
  world: ServerEnvironment,
  { store, box, server, telemetry }: DispatchParts,
): Dispatcher {
  const { app, metrics } = server;
  const { now, writeLine } = world;
  const allowPrivate = settings.privateDestinations || settings.development;
  const folder = settings.eventsFolder === '' ? undefined : settings.eventsFolder;
  return startDispatcher({
    outbox: store.outbox,
    deliver: timed(traced(createDelivery({ store, box, allowPrivate, folder, writeLine, now }), telemetry), metrics),
    maxTries: settings.eventTries,
    now,
    report: ({ eventId, destinationId, attempts }, outcome, reason) => {
      metrics.countDelivery(outcome);
      const facts = { event: eventId, destination: destinationId, tries: attempts + 1, outcome, reason };
      if (outcome === 'delivered') app.log.debug(facts, 'event');
      else app.log.warn(facts, 'event');
    },
    reportFailure: error => app.log.error({ err: error }, 'cannot read the outbox'),
  });
}

type Deliver = (delivery: Delivery, signal: AbortSignal) => Promise<void>;

/** Wraps deliveries so that their duration is measured. */
function timed(deliver: Deliver, { timeDelivery }: HttpServer['metrics']): Deliver {
  return async (delivery, signal) => {
    const begin = performance.now();
    const end = (outcome: 'delivered' | 'failed') => timeDelivery(outcome, (performance.now() - begin) / 1000);
    try {
      await deliver(delivery, signal);
      end('delivered');
    } catch (error) {
      end('failed');
      throw error;
    }
  };
}

/** Wraps deliveries in spans. */
function traced(deliver: Deliver, telemetry: Telemetry): Deliver {
  return async (delivery, signal) => {
    const span = telemetry.startDelivery(delivery);
    try {
      await deliver(delivery, signal);
      span.end('delivered');
    } catch (error) {
      span.end('failed', error instanceof Error ? error.message : String(error));
      throw error;
    }
  };
}

/** Wraps a store so that writes that publish events wake the dispatcher. */
function wakingStore(store: Store, wake: () => void): Store {
  return {
    ...store,
    write: async <T>(work: (writer: RecordWriter) => Promise<T>): Promise<T> => {
      const isWritten = { event: false };
      const result = await store.write(writer =>
        work({
          ...writer,
          publish: async event => {
            isWritten.event = (await writer.publish(event)) || isWritten.event;
            return isWritten.event;
          },
        }),
      );
      if (isWritten.event) wake();
      return result;
    },
  };
}

interface RunningParts {
  readonly server: HttpServer;
  readonly dispatcher: Dispatcher;
  readonly bodies: BodyChecks;
  readonly store: Store;
  readonly telemetry: Telemetry;
}

async function stop(
  { server, dispatcher, bodies, store, telemetry }: RunningParts,
  { shutdownTimeout }: ServerSettings,
): Promise<void> {
  const { app, connections } = server;
  connections.release();
  const timer = setTimeout(() => app.server.closeAllConnections(), shutdownTimeout * 1000);
  await app.close();
  clearTimeout(timer);
  await dispatcher.stop();
  await bodies.close();
  // Before the store, which its gauges read.
  telemetry.stop();
  await store.close();
}

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
function applySettings(server: HttpServer, before: ServerSettings, after: ServerSettings): Reloaded {
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
function renewCertificate({ app }: HttpServer, settings: ServerSettings): void {
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
