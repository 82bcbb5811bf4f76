/** Policies in front of whatever Envoy is in front of: a service for its filters for external processing and authorization. */
export {
  attributesRead,
  type EnvoyConfiguration,
  type EnvoyConnectionConfiguration,
  type EnvoyFilterOptions,
  envoyBootstrap,
  envoyConfiguration,
  envoyConnectionConfiguration,
  type SocketAddress,
} from './configuration.ts';
export { createEnvoyService, type EnvoyFault, type EnvoyService, type EnvoyServiceOptions } from './service.ts';
export { ENVOY_CONNECTION_HOST, ENVOY_HOST } from './translate.ts';
