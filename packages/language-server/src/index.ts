export type { DocumentKind, Host, Linters, Project, Trust } from './project/project.ts';
export { type Streams, startServer } from './server/start-server.ts';
