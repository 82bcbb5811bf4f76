import { exampleId, RECORD_KINDS, type RecordKindName } from '@tollgate/edge-api';

const KIND_OF_EXAMPLE: ReadonlyMap<string, RecordKindName> = new Map(
  (Object.keys(RECORD_KINDS) as RecordKindName[])
    .filter(kind => RECORD_KINDS[kind].path !== null)
    .map(kind => [exampleId(kind), kind]),
);

/** Returns a value with the examples' identifiers, as values and as keys, replaced by those of existing records. */
export async function substituted(
  api: { readonly shared: (kind: RecordKindName) => Promise<string> },
  value: unknown,
): Promise<unknown> {
  if (typeof value === 'string') {
    const [found] = /[a-z]+_[0-9A-Za-z]{27}/.exec(value) ?? [];
    const kind = KIND_OF_EXAMPLE.get(found ?? '');
    return kind === undefined ? value : value.replace(found!, await api.shared(kind));
  }
  if (Array.isArray(value)) return Promise.all(value.map(entry => substituted(api, entry)));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(async ([key, entry]) => [
    await substituted(api, key),
    await substituted(api, entry),
  ]);
  return Object.fromEntries(await Promise.all(entries)) as unknown;
}
