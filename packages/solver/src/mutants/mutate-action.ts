// Small mistakes in what an action does, by the types of its configuration.

import type { ConfigField } from '@tollgate/catalog';
import type { Action, PlainValue } from '@tollgate/policy';
import { mayBeAssumed } from '@tollgate/simulator';
import { patternMutations, shorterPrefix } from './mutate-condition.ts';

/** Another configuration of an action. */
export interface ConfigMutation {
  readonly operator: string;
  /** The key that differs. */
  readonly key: string;
  readonly config: Action['config'];
}

/** Returns the mistakes in the configuration of an action. What an opaque action is told decides nothing that a test can show. */
export function configMutations({ type, fact, config }: Action): readonly ConfigMutation[] {
  if (mayBeAssumed(type.value) && type.value !== 'restrict-ips') return [];
  return (fact?.config ?? []).flatMap(field => {
    const { name } = field;
    const given = config[name] ?? (field.type.kind === 'bool' ? field.default : undefined);
    if (given === undefined || given === null) return [];
    const changed = valuesFor(field, given as PlainValue, type.value);
    return changed.map(([operator, value]) => ({ operator, key: name, config: { ...config, [name]: value } }));
  });
}

type Changed = readonly (readonly [operator: string, value: PlainValue])[];

function valuesFor({ name, type, role }: ConfigField, value: PlainValue, action: string): Changed {
  switch (type.kind) {
    case 'int': {
      if (typeof value !== 'number') return [];
      if (/status/.test(name)) return [['status', otherStatus(value)]];
      const near = action === 'rate-limit' ? [value + 1, value - 1] : [value + 1];
      return near.filter(one => one >= (type.min ?? 0)).map(one => ['bound', one] as const);
    }
    case 'bool':
      return typeof value === 'boolean' ? [['switch', !value]] : [];
    case 'choice': {
      const other = type.values.find(one => one !== value);
      return other === undefined || name === 'algorithm' ? [] : [['switch', other]];
    }
    case 'regex':
      return typeof value === 'string'
        ? patternMutations(value)
            .slice(0, MAX_PATTERNS)
            .map(one => ['pattern', one.pattern])
        : [];
    case 'list':
      return Array.isArray(value) ? listChanges(value) : [];
    case 'map':
      return mapChanges(value, action);
    case 'string':
    case 'url':
      return typeof value === 'string' && value !== '' && (role !== undefined || name === 'url')
        ? [['text', `${value}x`]]
        : [];
    default:
      return [];
  }
}

const MAX_PATTERNS = 3;
const MAX_ITEMS = 5;

function otherStatus(status: number): number {
  const [usual, other] =
    status >= 500 ? [503, 500] : status >= 400 ? [404, 403] : status >= 300 ? [302, 301] : [200, 201];
  return status === usual ? other : usual;
}

function listChanges(items: readonly PlainValue[]): Changed {
  const dropped: Changed =
    items.length < 2
      ? []
      : items.slice(0, MAX_ITEMS).map((_, at) => ['list element', items.filter((__, index) => index !== at)]);
  const wider = items.slice(0, MAX_ITEMS).flatMap((item, at): Changed => {
    const shorter = typeof item === 'string' ? shorterPrefix(item) : undefined;
    return shorter === undefined ? [] : [['CIDR prefix', items.with(at, shorter)]];
  });
  return [...dropped, ...wider];
}

/** Of headers, each value counts; of what is logged, one. */
function mapChanges(value: PlainValue, action: string): Changed {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [];
  const entries = Object.entries(value as Readonly<Record<string, PlainValue>>);
  const most = action === 'log' ? 1 : MAX_ITEMS;
  return entries.slice(0, most).flatMap(([key, member]): Changed => {
    const changed: Changed = typeof member === 'string' ? [['text', { ...value, [key]: `${member}x` }]] : [];
    // The header of an answer that is not named may have a default.
    if (action !== 'add-headers') return changed;
    const renamed = Object.fromEntries(entries.map(([name, one]) => [name === key ? `X-${name}` : name, one]));
    return [...changed, ['header name', renamed]];
  });
}
