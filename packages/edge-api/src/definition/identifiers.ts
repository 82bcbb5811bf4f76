import { RECORD_KINDS, type RecordKindName } from './record-kinds.ts';

const KSUID = '[0-9A-Za-z]{27}';

const KIND_OF_PREFIX: ReadonlyMap<string, RecordKindName> = new Map(
  Object.entries(RECORD_KINDS).map(([kind, { prefix }]) => [prefix, kind as RecordKindName]),
);

const IDENTIFIER = new RegExp(`^([a-z]+)_${KSUID}$`);

/** Returns the record kind of an identifier; undefined for other strings. */
export function kindOfIdentifier(text: string): RecordKindName | undefined {
  const prefix = IDENTIFIER.exec(text)?.[1];
  return prefix === undefined ? undefined : KIND_OF_PREFIX.get(prefix);
}

/** Returns the path of a record relative to the base URL; undefined for records inside another and for kinds without a resource. */
export function pathOfIdentifier(id: string): string | undefined {
  const kind = kindOfIdentifier(id);
  const path = kind === undefined ? null : RECORD_KINDS[kind].path;
  return path === null || path.includes('{edge_id}') ? undefined : path.replace('{id}', id);
}

/** Returns the parameter names of an operation path, in order. */
export function pathParameters(path: string): readonly string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(match => match[1]!);
}
