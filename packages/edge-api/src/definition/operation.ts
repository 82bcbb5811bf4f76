/** What an operation does to its record or module. */
type OperationKind =
  | 'create'
  | 'get'
  | 'list'
  | 'update'
  | 'delete'
  | 'replace-module'
  | 'get-module'
  | 'delete-module';

/** One operation of the API. */
export interface Operation {
  readonly kind: OperationKind;
  readonly verb: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  /** The path relative to the base URL, with parameters in braces. */
  readonly path: string;
  readonly success: 200 | 201 | 204;
  /** The record kind; for a module, the kind of the record that contains it. */
  readonly record: RecordKindName | 'event_source';
  /** The record field that contains the module. */
  readonly field?: string;
  /** The shape of the request body. */
  readonly request: string | null;
  /** The shape of the response body, or of the entries of a list. */
  readonly answer: string | null;
  /** The response field that contains the list. */
  readonly listKey?: string;
  /** Whether the list is paged. */
  readonly paged?: boolean;
  /** Query parameters other than those of paging. */
  readonly query?: readonly string[];
}

interface CollectionFacts {
  readonly path: string;
  readonly shape: string;
  readonly record: RecordKindName;
  readonly listKey: string;
  readonly query?: readonly string[];
}

/** Returns the five operations of a record kind, named `<name>Create` and so on. */
export function collection<const N extends string, const F extends CollectionFacts>(name: N, facts: F) {
  return { ...records(name, facts), ...listing(name, facts) } as Records<N, F> & Listing<N, F>;
}

/** Returns the operations that create, read, update and delete a record kind. */
export function records<const N extends string, const F extends Omit<CollectionFacts, 'listKey'>>(name: N, facts: F) {
  const { path, record, shape } = facts;
  const one = `${path}/{id}`;
  const both = { record } as const;
  return {
    [`${name}Create`]: { kind: 'create', verb: 'POST', path, success: 201, request: shape, answer: shape, ...both },
    [`${name}Get`]: { kind: 'get', verb: 'GET', path: one, success: 200, request: null, answer: shape, ...both },
    [`${name}Update`]: {
      kind: 'update',
      verb: 'PATCH',
      path: one,
      success: 200,
      request: shape,
      answer: shape,
      ...both,
    },
    [`${name}Delete`]: {
      kind: 'delete',
      verb: 'DELETE',
      path: one,
      success: 204,
      request: null,
      answer: null,
      ...both,
    },
  } as Records<N, F>;
}

type Made<R, O> = O & { readonly record: R };

type Records<N extends string, F extends Pick<CollectionFacts, 'path' | 'shape' | 'record'>> = {
  readonly [K in `${N}Create`]: Made<
    F['record'],
    {
      kind: 'create';
      verb: 'POST';
      path: F['path'];
      success: 201;
      request: F['shape'];
      answer: F['shape'];
    }
  >;
} & {
  readonly [K in `${N}Get`]: Made<
    F['record'],
    {
      kind: 'get';
      verb: 'GET';
      path: `${F['path']}/{id}`;
      success: 200;
      request: null;
      answer: F['shape'];
    }
  >;
} & {
  readonly [K in `${N}Update`]: Made<
    F['record'],
    {
      kind: 'update';
      verb: 'PATCH';
      path: `${F['path']}/{id}`;
      success: 200;
      request: F['shape'];
      answer: F['shape'];
    }
  >;
} & {
  readonly [K in `${N}Delete`]: Made<
    F['record'],
    {
      kind: 'delete';
      verb: 'DELETE';
      path: `${F['path']}/{id}`;
      success: 204;
      request: null;
      answer: null;
    }
  >;
};

type Listing<N extends string, F extends CollectionFacts> = {
  readonly [K in `${N}List`]: Made<
    F['record'],
    {
      kind: 'list';
      verb: 'GET';
      path: F['path'];
      success: 200;
      request: null;
      answer: F['shape'];
      listKey: F['listKey'];
      paged: true;
      query?: readonly string[];
    }
  >;
};

function listing<const N extends string, const F extends CollectionFacts>(name: N, facts: F) {
  const { path, record, shape: answer, listKey, query } = facts;
  const list = {
    kind: 'list',
    verb: 'GET',
    path,
    success: 200,
    request: null,
    answer,
    listKey,
    paged: true,
    record,
  };
  return { [`${name}List`]: query ? { ...list, query } : list } as Listing<N, F>;
}

interface ModuleFacts {
  readonly path: string;
  readonly record: RecordKindName;
  readonly field: string;
  readonly request: string;
  readonly answer: string;
}

type ModuleOperations<N extends string, F extends ModuleFacts> = {
  readonly [K in `${N}ModuleReplace`]: Made<
    F['record'],
    {
      kind: 'replace-module';
      verb: 'PUT';
      path: F['path'];
      success: 200;
      field: F['field'];
      request: F['request'];
      answer: F['answer'];
    }
  >;
} & {
  readonly [K in `${N}ModuleGet`]: Made<
    F['record'],
    {
      kind: 'get-module';
      verb: 'GET';
      path: F['path'];
      success: 200;
      field: F['field'];
      request: null;
      answer: F['answer'];
    }
  >;
} & {
  readonly [K in `${N}ModuleDelete`]: Made<
    F['record'],
    {
      kind: 'delete-module';
      verb: 'DELETE';
      path: F['path'];
      success: 204;
      field: F['field'];
      request: null;
      answer: null;
    }
  >;
};

/** Returns the three operations of a module, named `<name>ModuleReplace` and so on. */
export function moduleOperations<const N extends string, const F extends ModuleFacts>(name: N, facts: F) {
  const { path, record, field, request, answer } = facts;
  const all = { path, record, field } as const;
  return {
    [`${name}ModuleReplace`]: { kind: 'replace-module', verb: 'PUT', success: 200, request, answer, ...all },
    [`${name}ModuleGet`]: { kind: 'get-module', verb: 'GET', success: 200, request: null, answer, ...all },
    [`${name}ModuleDelete`]: {
      kind: 'delete-module',
      verb: 'DELETE',
      success: 204,
      request: null,
      answer: null,
      ...all,
    },
  } as ModuleOperations<N, F>;
}

const KSUID = '[0-9A-Za-z]{27}';

const IDENTIFIER = new RegExp(`^([a-z]+)_${KSUID}$`);

/** Returns the record kind of an identifier; undefined for other strings. */
export function kindOfIdentifier(text: string): RecordKindName | undefined {
  const prefix = IDENTIFIER.exec(text)?.[1];
  return prefix === undefined ? undefined : KIND_OF_PREFIX.get(prefix);
}

/** Returns the path of a record relative to the base URL; undefined for records inside another and for kinds without a resource. */
export function pathOfIdentifier(id: string): string | undefined {
  const kind = kindOfIdentifier(id);
  const path = kind === undefined ? null : RECORD_KINDS[kind].path;
  return path === null || path.includes('{edge_id}') ? undefined : path.replace('{id}', id);
}

/** Returns the parameter names of an operation path, in order. */
export function pathParameters(path: string): readonly string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(match => match[1]!);
}

/** A kind of record: the prefix of its identifiers and its path. */
export interface RecordKind {
  /** Identifiers are `<prefix>_<27 characters of a KSUID>`. */
  readonly prefix: string;
  /** The path of a record; null if the API has no resource for it. */
  readonly path: string | null;
  /** The name in messages. */
  readonly noun: string;
}

/** Every record kind, from part B, sections 1.7 and 1.8. */
export const RECORD_KINDS = {
  https_edge: { prefix: 'edghts', path: '/edges/https/{id}', noun: 'HTTPS edge' },
  https_edge_route: { prefix: 'edghtsrt', path: '/edges/https/{edge_id}/routes/{id}', noun: 'HTTPS edge route' },
  tls_edge: { prefix: 'edgtls', path: '/edges/tls/{id}', noun: 'TLS edge' },
  tcp_edge: { prefix: 'edgtcp', path: '/edges/tcp/{id}', noun: 'TCP edge' },
  failover_backend: { prefix: 'bkdfo', path: '/backends/failover/{id}', noun: 'failover backend' },
  http_response_backend: { prefix: 'bkdhr', path: '/backends/http_response/{id}', noun: 'HTTP response backend' },
  static_backend: { prefix: 'bkdsc', path: '/backends/static/{id}', noun: 'static backend' },
  tunnel_group_backend: { prefix: 'bkdtg', path: '/backends/tunnel_group/{id}', noun: 'tunnel group backend' },
  weighted_backend: { prefix: 'bkdwd', path: '/backends/weighted/{id}', noun: 'weighted backend' },
  ip_policy: { prefix: 'ipp', path: '/ip_policies/{id}', noun: 'IP policy' },
  ip_policy_rule: { prefix: 'ipr', path: '/ip_policy_rules/{id}', noun: 'IP policy rule' },
  ip_restriction: { prefix: 'ipx', path: '/ip_restrictions/{id}', noun: 'IP restriction' },
  certificate_authority: { prefix: 'ca', path: '/certificate_authorities/{id}', noun: 'certificate authority' },
  event_destination: { prefix: 'ed', path: '/event_destinations/{id}', noun: 'event destination' },
  event_subscription: { prefix: 'esb', path: '/event_subscriptions/{id}', noun: 'event subscription' },
  api_key: { prefix: 'ak', path: '/api_keys/{id}', noun: 'API key' },
  endpoint: { prefix: 'ep', path: '/endpoints/{id}', noun: 'endpoint' },
  reserved_addr: { prefix: 'ra', path: '/reserved_addrs/{id}', noun: 'reserved address' },
  reserved_domain: { prefix: 'rd', path: '/reserved_domains/{id}', noun: 'reserved domain' },
  tls_certificate: { prefix: 'cert', path: null, noun: 'TLS certificate' },
  tunnel: { prefix: 'tn', path: null, noun: 'tunnel' },
  tunnel_session: { prefix: 'ts', path: null, noun: 'tunnel session' },
  event: { prefix: 'ev', path: null, noun: 'event' },
  user: { prefix: 'usr', path: null, noun: 'user' },
  bot: { prefix: 'bot', path: null, noun: 'bot' },
  account: { prefix: 'ac', path: null, noun: 'account' },
  operation: { prefix: 'op', path: null, noun: 'operation' },
} as const satisfies Record<string, RecordKind>;

const KIND_OF_PREFIX: ReadonlyMap<string, RecordKindName> = new Map(
  Object.entries(RECORD_KINDS).map(([kind, { prefix }]) => [prefix, kind as RecordKindName]),
);

/** The name of a record kind. */
export type RecordKindName = keyof typeof RECORD_KINDS;

/** The kinds of backends that modules and other backends may refer to. */
export const BACKEND_KINDS = [
  'failover_backend',
  'http_response_backend',
  'static_backend',
  'tunnel_group_backend',
  'weighted_backend',
] as const satisfies readonly RecordKindName[];
