import type { OperationId, Validator } from '@tollgate/edge-api';
import type { LazyAnalyser } from '../../policy/lazy-analyser.ts';
import type { Principal } from '../../security/principal.ts';
import type { SecretBox } from '../../security/secret-box.ts';
import type { KsuidSource } from '../../store/port/ksuid.ts';
import type { Store } from '../../store/port/store.ts';

/** What the service is made of. */
export interface ServiceContext {
  readonly store: Store;
  readonly validator: Validator;
  readonly policies: Pick<LazyAnalyser, 'analyse'>;
  readonly box: SecretBox;
  readonly newKsuid: KsuidSource;
  readonly now: () => number;
  readonly rules: RuleSettings;
  /** Identifies this service in events. */
  readonly accountId: string;
}

/** Settings that rules depend on. */
export interface RuleSettings {
  /** Whether hostports must be reserved. */
  readonly reservations: boolean;
  readonly privateDestinations: boolean;
  /** Whether there is a folder for events. */
  readonly eventFiles: boolean;
  /** Host of addresses that the service assigns. */
  readonly host: string;
}

/** A request that has passed the checks of its headers. */
export interface ApiRequest {
  readonly id: OperationId;
  /** The parameters of the path. */
  readonly path: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** The body as sent; empty without one. */
  readonly text: string;
  readonly ifMatch: string | undefined;
  /** What the URIs in the answer begin with. */
  readonly baseUrl: string;
  readonly principal: Principal;
}

/** What a request is answered with. */
export interface ApiAnswer {
  readonly status: number;
  /** JSON; undefined for an empty answer. */
  readonly text: string | Buffer | undefined;
  /** Of the record, for its ETag. */
  readonly revision: number | undefined;
}
