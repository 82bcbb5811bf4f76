import type { Severity } from '@tollgate/diagnostics';

/** What a project file says about publishing. */
export interface PublishSettings {
  readonly environments?: Readonly<Record<string, EnvironmentSettings>>;
  readonly targets?: Readonly<Record<string, TargetSettings>>;
  readonly gates?: GateSettings;
  readonly history?: { readonly path?: string };
}

/** Where a secret comes from; exactly one of them. */
export interface SecretSource {
  readonly env?: string;
  readonly file?: string;
  /** A program and its arguments. */
  readonly command?: readonly string[];
}

/** An Edge Configuration API. */
export interface EnvironmentSettings {
  readonly url: string;
  readonly apiKey: SecretSource;
  readonly versionHeader?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly caFile?: string;
  readonly concurrency?: number;
  /** In seconds. */
  readonly timeout?: number;
  readonly requestsPerMinute?: number;
}

/** A place, and the modules that are published to it. */
export interface AddressSettings {
  readonly policy?: string;
  readonly route?: RouteSettings;
  readonly tlsEdge?: string;
  readonly tcpEdge?: string;
  readonly webhookVerification?: {
    readonly provider: string;
    readonly secret?: SecretSource;
    readonly enabled?: boolean;
  };
  readonly ipRestriction?: { readonly ipPolicies: readonly string[]; readonly enabled?: boolean };
  readonly allowErase?: boolean;
}

/** An HTTPS route, by id or by what it matches. */
export interface RouteSettings {
  /** The id of the edge, or one of its hostports. */
  readonly edge: string;
  readonly id?: string;
  readonly match?: string;
  readonly matchType?: 'exact_path' | 'path_prefix';
}

/** A target with its overrides by environment. */
export interface TargetSettings extends AddressSettings {
  readonly acceptedDrift?: { readonly reason: string; readonly until: string };
  readonly environments?: Readonly<Record<string, AddressSettings>>;
}

/** What must hold before anything is written. */
export interface GateSettings {
  readonly lint?: Severity | 'off';
  readonly tests?: readonly string[];
  readonly impact?: { readonly traffic: readonly string[]; readonly maxChanged: number; readonly mapping?: string };
}
