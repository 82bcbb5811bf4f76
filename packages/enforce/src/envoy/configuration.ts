// What Envoy is told so that it asks the service, and sends exactly what the policy reads.

import type { Policy } from '@tollgate/policy';
import { policyRequirements, recordedFieldsOf, type SimulationOptions } from '@tollgate/simulator';
import { ATTRIBUTE_OF, SERVER_NAME } from './translate.ts';

/** The header of each call to the service that names the attributes that Envoy sends; one of these that is missing is empty. */
export const ATTRIBUTES_HEADER = 'x-tollgate-attributes';

/** Options of {@link envoyConfiguration}. */
export interface EnvoyFilterOptions extends Pick<SimulationOptions, 'profile' | 'environments'> {
  /** Where Envoy finds the service. */
  readonly service: SocketAddress;
  /** `shadow`: Envoy does not wait for decisions, and nothing is changed, also if the service fails. */
  readonly mode?: 'enforce' | 'shadow';
  /** Whether the service also needs the address of clients to find out where they are. */
  readonly locates?: boolean;
}

/** A filter for `http_filters`, before the router, and a cluster for `clusters`; in the JSON form of Envoy's API. */
export interface EnvoyConfiguration {
  readonly http_filters: readonly object[];
  readonly clusters: readonly object[];
}

/** Returns what to add to Envoy's configuration for a policy. Another policy may read other attributes. */
export function envoyConfiguration(policy: Policy, options: EnvoyFilterOptions): EnvoyConfiguration {
  const { mode = 'enforce' } = options;
  const attributes = attributesRead(policy, options);
  const isShadow = mode === 'shadow';
  const filter = {
    '@type': `${TYPES}.filters.http.ext_proc.v3.ExternalProcessor`,
    grpc_service: {
      envoy_grpc: { cluster_name: 'tollgate' },
      // No `timeout`, which would limit the whole exchange.
      initial_metadata: [{ key: ATTRIBUTES_HEADER, value: attributes.join(',') }],
    },
    processing_mode: {
      ...{ request_header_mode: 'SEND', response_header_mode: 'SEND' },
      ...{ request_body_mode: 'NONE', response_body_mode: 'NONE' },
      ...{ request_trailer_mode: 'SKIP', response_trailer_mode: 'SKIP' },
    },
    ...(attributes.length > 0 && { request_attributes: attributes }),
    message_timeout: validatesTokens(policy) ? WAIT_FOR_KEYS : WAIT,
    failure_mode_allow: isShadow,
    // Otherwise Envoy leaves path and host as they are, and says nothing.
    mutation_rules: { allow_all_routing: true, allow_envoy: true, disallow_is_error: true },
    ...(isShadow && { observability_mode: true, deferred_close_timeout: '1s' }),
  };
  return {
    http_filters: [{ name: 'envoy.filters.http.ext_proc', typed_config: filter }],
    clusters: [serviceCluster(options)],
  };
}

const TYPES = 'type.googleapis.com/envoy.extensions';

/** How long Envoy waits for a decision: longer than the service takes to read a changed policy, during which it decides nothing. */
const WAIT = '1s';

/** The same for policies that validate tokens: longer than the service waits for keys. */
const WAIT_FOR_KEYS = '6s';

function validatesTokens({ rules }: Policy): boolean {
  return Object.values(rules)
    .flat()
    .some(rule => rule.actions.some(({ type }) => type.value === 'jwt-validation'));
}

/** A filter for `filters` before the one that proxies, filters for `listener_filters`, and a cluster for `clusters`. */
export interface EnvoyConnectionConfiguration {
  readonly listener_filters: readonly object[];
  readonly filters: readonly object[];
  readonly clusters: readonly object[];
}

/** Returns what to add to Envoy's configuration for a policy of a TCP or TLS endpoint: its network filter for external authorization. */
export function envoyConnectionConfiguration(
  policy: Policy,
  options: EnvoyFilterOptions,
): EnvoyConnectionConfiguration {
  const names = attributesRead(policy, options).filter(name => name === SERVER_NAME);
  const filter = {
    '@type': `${TYPES}.filters.network.ext_authz.v3.ExtAuthz`,
    stat_prefix: 'tollgate',
    transport_api_version: 'V3',
    grpc_service: {
      envoy_grpc: { cluster_name: 'tollgate' },
      timeout: WAIT,
      initial_metadata: [{ key: ATTRIBUTES_HEADER, value: names.join(',') }],
    },
    failure_mode_allow: options.mode === 'shadow',
    ...(names.length > 0 && { include_tls_session: true }),
  };
  // Reads the name that a client asks for also where TLS passes through.
  const inspector = {
    name: 'envoy.filters.listener.tls_inspector',
    typed_config: { '@type': `${TYPES}.filters.listener.tls_inspector.v3.TlsInspector` },
  };
  return {
    listener_filters: names.length > 0 ? [inspector] : [],
    filters: [{ name: 'envoy.filters.network.ext_authz', typed_config: filter }],
    clusters: [serviceCluster(options)],
  };
}

function serviceCluster({ service }: EnvoyFilterOptions): object {
  return {
    name: 'tollgate',
    // Also for names, such as those of containers.
    type: 'STRICT_DNS',
    connect_timeout: '1s',
    load_assignment: assignment('tollgate', service),
    typed_extension_protocol_options: {
      'envoy.extensions.upstreams.http.v3.HttpProtocolOptions': {
        '@type': `${TYPES}.upstreams.http.v3.HttpProtocolOptions`,
        explicit_http_config: { http2_protocol_options: {} },
      },
    },
    // Each request of a client is one to the service for as long as it lasts; 1,024 by default.
    circuit_breakers: { thresholds: [{ max_requests: 100_000, max_pending_requests: 100_000 }] },
  };
}

/** An address and a port. */
export interface SocketAddress {
  readonly host: string;
  readonly port: number;
}

/** Returns a whole configuration: Envoy listens, asks the service, and passes requests on to an application that speaks HTTP/1.1. */
export function envoyBootstrap(added: EnvoyConfiguration, listen: SocketAddress, upstream: SocketAddress): object {
  const router = { '@type': `${TYPES}.filters.http.router.v3.Router`, suppress_envoy_headers: true };
  const manager = {
    '@type': `${TYPES}.filters.network.http_connection_manager.v3.HttpConnectionManager`,
    stat_prefix: 'tollgate',
    // Clients cannot say another address than their own.
    use_remote_address: true,
    // One spelling of a path for the policy and the application.
    ...{ normalize_path: true, merge_slashes: true, path_with_escaped_slashes_action: 'UNESCAPE_AND_FORWARD' },
    http_filters: [...added.http_filters, { name: 'envoy.filters.http.router', typed_config: router }],
    route_config: {
      virtual_hosts: [
        { name: 'all', domains: ['*'], routes: [{ match: { prefix: '/' }, route: { cluster: 'application' } }] },
      ],
    },
  };
  const application = {
    name: 'application',
    type: 'STRICT_DNS',
    connect_timeout: '1s',
    load_assignment: assignment('application', upstream),
  };
  const filters = [{ name: 'envoy.filters.network.http_connection_manager', typed_config: manager }];
  return {
    static_resources: {
      listeners: [{ name: 'web', address: socketAddress(listen), filter_chains: [{ filters }] }],
      clusters: [application, ...added.clusters],
    },
  };
}

function socketAddress({ host, port }: SocketAddress): object {
  return { socket_address: { address: host, port_value: port } };
}

function assignment(cluster: string, address: SocketAddress): object {
  const endpoint = { address: socketAddress(address) };
  return { cluster_name: cluster, endpoints: [{ lb_endpoints: [{ endpoint }] }] };
}

/** Returns the attributes that a policy reads, in order. */
export function attributesRead(
  policy: Policy,
  { profile, environments, locates = false }: Pick<EnvoyFilterOptions, 'profile' | 'environments' | 'locates'>,
): readonly string[] {
  const needs = policyRequirements(policy, { profile, environments }).flatMap(({ conditions, actions }) => [
    ...conditions,
    ...actions.flatMap(action => action.needs),
  ]);
  const fields = new Set(needs.flatMap(need => recordedFieldsOf(need)));
  const read = Object.entries(ATTRIBUTE_OF).flatMap(([field, attribute]) => (fields.has(field) ? [attribute!] : []));
  return [...new Set([...(locates ? ['source.address'] : []), ...read])].sort();
}
