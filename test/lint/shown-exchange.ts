import type { Exchange } from '@tollgate/traffic';
import { exchangeOf, type Parts, USUAL } from './whole-exchanges.ts';

/**
 * The exchange that a message shows: conditions such as `req.Method == "GET"` joined by `&&`, each of which one value makes true. What is
 * not shown is as usual. Throws where a condition is of another kind.
 */
export function exchangeShown(shown: string): Exchange {
  const parts = shown.split(' && ').reduce((known, condition) => withCondition(known, condition), USUAL);
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

/** An entry that is only said to be there has no value yet. */
function withEntry(parts: Parts, of: string, [name, value]: readonly [string, string | undefined]): Parts {
  const key = of === 'req.Headers' ? 'headers' : 'query';
  const others = parts[key].filter(one => one[0] !== name);
  return { ...parts, [key]: [...others, [name, value ?? '']] };
}
