export { signWebhook, verifyWebhook } from './events/signature.ts';
export { createKey, type KeyRequest, type KeySummary, listKeys, type NewKey, revokeKey } from './security/keys.ts';
export { SCOPES, type Scope } from './security/principal.ts';
export { readServerSettings, type SettingSources } from './settings/read-settings.ts';
export type { ServerSettings } from './settings/server-settings.ts';
export { type RunningServer, type ServerWorld, startServer } from './start-server.ts';
export { openStore } from './store/open-store.ts';
export * from './store/store.ts';
export { type Conflict, StoreConflict } from './store/store-conflict.ts';
