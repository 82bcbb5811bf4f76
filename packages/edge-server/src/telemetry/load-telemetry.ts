import { ExternalError } from '@tollgate/diagnostics';
import type { ServerSettings } from '../settings/settings.ts';
import type { Gauges, Telemetry } from './telemetry.ts';

/** With their versions: npm would take the newest, which need not suit. */
const PACKAGES = [
  'api@1',
  'core@3',
  'exporter-metrics-otlp-http@0.301',
  'exporter-trace-otlp-http@0.301',
  'resources@3',
  'sdk-metrics@3',
  'sdk-trace@3',
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
