import type { Certificate } from '../listener/tls-files.ts';
import type { Authenticator } from '../security/authenticator.ts';
import type { Service } from '../service/service.ts';
import type { ServerSettings } from '../settings/server-settings.ts';
import type { KsuidSource } from '../store/port/ksuid.ts';
import type { Store } from '../store/port/store.ts';
import type { Telemetry } from '../telemetry/telemetry.ts';

/** The dependencies of the HTTP server. */
export interface HttpParts {
  readonly settings: ServerSettings;
  /** The certificate of HTTPS; undefined for HTTP. */
  readonly certificate: Certificate | undefined;
  readonly service: Service;
  readonly store: Store;
  readonly authenticator: Authenticator;
  readonly newKsuid: KsuidSource;
  readonly now: () => number;
  /** The version of the program. */
  readonly version: string;
  /** Returns true if files of the program have changed since it started. */
  readonly isReplaced: () => boolean;
  /** Undefined if no collector is configured. */
  readonly telemetry: Telemetry | undefined;
  /** Writes a line of the log, as JSON. */
  readonly log: (line: string) => void;
}
