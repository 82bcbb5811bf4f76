export { signWebhook, verifyWebhook } from './events/signature.ts';
export {
  createKey,
  type KeyRequest,
  type KeySummary,
  listKeys,
  type NewKey,
  revokeKey,
  SCOPES,
  type Scope,
} from './security/api-keys.ts';
export { changeJson } from './server/changes-route.ts';
export type { Reloaded } from './server/start-server.ts';
export { type RunningServer, type ServerEnvironment, startServer } from './server/start-server.ts';
export {
  configurationText,
  type EncryptionRotation,
  readConfiguration,
  restoreBackup,
  rotateEncryption,
} from './service/configuration.ts';
export { readServerSettings, type SettingSources } from './settings/read-settings.ts';
export type { ServerSettings } from './settings/settings.ts';
export { isPostgres, openStore } from './store/open-store.ts';
export * from './store/store.ts';
export { type Conflict, StoreConflict } from './store/store.ts';
