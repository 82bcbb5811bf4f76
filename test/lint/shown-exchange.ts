import type { Exchange } from '@tollgate/traffic';
import { DEFAULT_PARTS, exchangeOf, type Parts } from './whole-exchanges.ts';

/**
 * Returns the exchange that a message shows as conditions such as `req.Method == "GET"`, joined by `&&`. All other parts have default
 * values. Throws for a condition of another kind.
 */
export function exchangeShown(shown: string): Exchange {
  const parts = shown.split(' && ').reduce((known, condition) => withCondition(known, condition), DEFAULT_PARTS);
  return exchangeOf(parts);
}

function withCondition(parts: Parts, condition: string): Parts {
  const [, is, key, map] = /^(!?)\(?("[^"]*") in (req\.Headers|req\.Params)\)?$/.exec(condition) ?? [];
  if (key !== undefined) return is === '!' ? parts : withEntry(parts, map!, [JSON.parse(key), undefined]);
  const [, path, literal] = /^([^ ]+) == ("(?:[^"\\]|\\.)*")$/.exec(condition) ?? [];
  if (path === undefined) throw new Error(`cannot read the condition ${condition}`);
  const value = JSON.parse(literal!) as string;
  const [, of, dotted, quoted] = /^(req\.Headers|req\.Params)(?:\.(\w+)|\[("[^"]*")\])(?:\[0\]|\.0)?$/.exec(path) ?? [];
  if (of !== undefined) return withEntry(parts, of, [dotted ?? JSON.parse(quoted!), value]);
  const names = {
    'req.Method': 'method',
    'req.Host': 'host',
    'req.Path': 'path',
    'conn.ClientIP': 'clientIp',
  } as const;
  const name = names[path as keyof typeof names];
  if (name === undefined) throw new Error(`cannot set \`${path}\``);
  return { ...parts, [name]: value };
}

/** Adds an entry; one that is only known to be present gets an empty value. */
function withEntry(parts: Parts, of: string, [name, value]: readonly [string, string | undefined]): Parts {
  const key = of === 'req.Headers' ? 'headers' : 'query';
  const others = parts[key].filter(([key]) => key !== name);
  return { ...parts, [key]: [...others, [name, value ?? '']] };
}
