import { OPERATIONS, type Operation } from '@tollgate/edge-api';
import { CHANGES_PATH } from './changes-route.ts';
import { VALIDATE_PATH } from './operation-route.ts';

/** Returns the methods of the operations at a path without its query; empty if nothing is there. */
export type AllowedMethods = (path: string) => readonly string[];

interface Template {
  readonly segments: readonly string[];
  readonly methods: readonly string[];
}

/** Pages next to the API. */
const PAGES = ['/healthz', '/readyz', '/metrics', '/openapi.json', '/docs', CHANGES_PATH];

/** Creates the lookup of methods, which runs only for requests without a route. */
export function allowedMethods(basePath: string): AllowedMethods {
  const operations: readonly Operation[] = Object.values(OPERATIONS);
  const templates = [...Map.groupBy(operations, ({ path }) => path)].flatMap(([path, group]): readonly Template[] => {
    const verbs = group.map(({ verb }) => verb);
    const writing = verbs.filter(verb => verb !== 'GET');
    return [
      { segments: segmentsOf(`${basePath}${path}`), methods: withHead(verbs) },
      ...(writing.length > 0 ? [{ segments: segmentsOf(`${VALIDATE_PATH}${basePath}${path}`), methods: writing }] : []),
    ];
  });
  const pages = PAGES.map((path): Template => ({ segments: segmentsOf(path), methods: withHead(['GET']) }));
  const all = [...templates, ...pages];
  return path => {
    const given = segmentsOf(path);
    return all.find(({ segments }) => matches(segments, given))?.methods ?? [];
  };
}

/** HEAD works where GET does (RFC 9110, section 9.1). */
function withHead(verbs: readonly string[]): readonly string[] {
  return verbs.flatMap(verb => (verb === 'GET' ? ['GET', 'HEAD'] : [verb]));
}

function segmentsOf(path: string): readonly string[] {
  return path.replace(/\/+/g, '/').split('/').slice(1);
}

function matches(template: readonly string[], path: readonly string[]): boolean {
  if (template.length !== path.length) return false;
  return template.every((segment, index) => segment.startsWith('{') || segment === path[index]);
}
