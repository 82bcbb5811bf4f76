import { exampleId, RECORD_KINDS, type RecordKindName } from '@tollgate/edge-api';

const KIND_OF_EXAMPLE: ReadonlyMap<string, RecordKindName> = new Map(
  (Object.keys(RECORD_KINDS) as RecordKindName[])
    .filter(kind => RECORD_KINDS[kind].path !== null)
    .map(kind => [exampleId(kind), kind]),
);

/** A value with the examples' identifiers, as values and as keys, replaced by those of records that exist. */
export async function substituted(
  world: { readonly shared: (kind: RecordKindName) => Promise<string> },
  value: unknown,
): Promise<unknown> {
  if (typeof value === 'string') {
    const [found] = /[a-z]+_[0-9A-Za-z]{27}/.exec(value) ?? [];
    const kind = KIND_OF_EXAMPLE.get(found ?? '');
    return kind === undefined ? value : value.replace(found!, await world.shared(kind));
  }
  if (Array.isArray(value)) return Promise.all(value.map(entry => substituted(world, entry)));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(async ([key, entry]) => [
    await substituted(world, key),
    await substituted(world, entry),
  ]);
  return Object.fromEntries(await Promise.all(entries)) as unknown;
}
