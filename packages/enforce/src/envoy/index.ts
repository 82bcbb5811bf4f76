/** Policies in front of whatever Envoy is in front of: a service for its filter for external processing. */
export {
  attributesRead,
  type EnvoyConfiguration,
  type EnvoyFilterOptions,
  envoyBootstrap,
  envoyConfiguration,
  type SocketAddress,
} from './configuration.ts';
export { createEnvoyService, type EnvoyFault, type EnvoyService, type EnvoyServiceOptions } from './service.ts';
export { ENVOY_HOST } from './translate.ts';
