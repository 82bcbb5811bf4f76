import { ExternalError } from '@tollgate/diagnostics';
import type { ServerSettings } from '../settings/server-settings.ts';
import type { Gauges, Telemetry } from './telemetry.ts';

const PACKAGES = [
  'api',
  'core',
  'exporter-metrics-otlp-http',
  'exporter-trace-otlp-http',
  'resources',
  'sdk-metrics',
  'sdk-trace',
].map(name => `@opentelemetry/${name}`);

/** Starts sending traces and metrics, if a collector is configured. The SDK is an optional package of the published command. */
export async function loadTelemetry(
  settings: Pick<ServerSettings, 'otlpEndpoint' | 'traceSampling'>,
  gauges: Gauges,
  reportFailure: (error: unknown) => void,
): Promise<Telemetry | undefined> {
  if (settings.otlpEndpoint === '') return undefined;
  try {
    const { startTelemetry } = await import('./start-telemetry.ts');
    return startTelemetry(settings, gauges, reportFailure);
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (code !== 'MODULE_NOT_FOUND' && code !== 'ERR_MODULE_NOT_FOUND') throw cause;
    const message = `traces and metrics need the OpenTelemetry SDK; run \`npm install ${PACKAGES.join(' ')}\``;
    throw new ExternalError('settings/no-telemetry', message, { cause });
  }
}
