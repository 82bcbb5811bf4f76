export type { CheckThread, ThreadPort } from './project/check-thread.ts';
export type { CommandRun, CommandToRun, DocumentKind, Host, Linters, Project, Trust } from './project/project.ts';
export type { ServerSetup } from './project/server-setup.ts';
export { type Streams, startServer } from './server/start-server.ts';
export { serveChecks } from './workspace/serve-checks.ts';
