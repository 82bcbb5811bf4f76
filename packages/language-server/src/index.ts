export type {
  CheckThread,
  CommandRun,
  CommandToRun,
  DocumentKind,
  Host,
  Linters,
  Project,
  ServerSetup,
  ThreadPort,
  Trust,
} from './host.ts';
export { type Streams, startServer } from './server/start-server.ts';
export { serveChecks } from './workspace/serve-checks.ts';
