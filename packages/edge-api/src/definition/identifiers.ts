import { RECORD_KINDS, type RecordKindName } from './record-kinds.ts';

const KSUID = '[0-9A-Za-z]{27}';

const KIND_OF_PREFIX: ReadonlyMap<string, RecordKindName> = new Map(
  Object.entries(RECORD_KINDS).map(([kind, { prefix }]) => [prefix, kind as RecordKindName]),
);

const IDENTIFIER = new RegExp(`^([a-z]+)_${KSUID}$`);

/** The kind of record that an identifier is of; undefined for a text that is no identifier. */
export function kindOfIdentifier(text: string): RecordKindName | undefined {
  const prefix = IDENTIFIER.exec(text)?.[1];
  return prefix === undefined ? undefined : KIND_OF_PREFIX.get(prefix);
}

/** The path of a record that lives in no other one, relative to the base URL; undefined where the API has no resource for it. */
export function pathOfIdentifier(id: string): string | undefined {
  const kind = kindOfIdentifier(id);
  const path = kind === undefined ? null : RECORD_KINDS[kind].path;
  return path === null || path.includes('{edge_id}') ? undefined : path.replace('{id}', id);
}

/** The parameters of an operation's path, in order. */
export function pathParameters(path: string): readonly string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(match => match[1]!);
}
