export type {
  AskClient,
  CheckThread,
  CommandRun,
  CommandToRun,
  DocumentKind,
  Host,
  Linters,
  Project,
  ServerSetup,
  ThreadPort,
  Transport,
  Trust,
} from './host.ts';
export { UNTRUSTED_MODULE } from './host.ts';
export { startServer } from './server/start-server.ts';
export { serveChecks } from './workspace/check-thread.ts';
