import type { PathStep, Upstream } from './upstreams.ts';

/**
 * Returns the path for which an upstream looks for a handler; undefined if it answers without one. Equal results mean that it treats the
 * requests alike.
 */
export function upstreamPath(path: string, { path: { value: steps } }: Pick<Upstream, 'path'>): string | undefined {
  let current: string | undefined = path;
  for (const step of steps) {
    if (current === undefined) return undefined;
    current = STEPS[step](current);
  }
  return current;
}

const STEPS: Readonly<Record<PathStep, (path: string) => string | undefined>> = {
  decode: decoded,
  'decode-segments': path => {
    const segments = path.split('/').map(segment => decoded(segment)?.replaceAll('/', '%2F'));
    return segments.every(segment => segment !== undefined) ? segments.join('/') : undefined;
  },
  'drop-parameters': path => path.replace(/;[^/]*/g, ''),
  'merge-slashes': path => path.replace(/\/{2,}/g, '/'),
  'resolve-dot-segments': withoutDotSegments,
  'backslash-to-slash': path => path.replaceAll('\\', '/'),
  'ignore-case': path => path.toLowerCase(),
  'ignore-trailing-slash': path => (path.length > 1 ? path.replace(/\/$/, '') : path),
  'refuse-encoded-slash': path => (/%2f|%5c|\\/i.test(path) ? undefined : path),
  'redirect-unclean': path => (/\/\/|\/\.{1,2}(?:\/|$)/.test(path) ? undefined : path),
};

/** Undefined for a percent sign without two digits, or bytes that are not UTF-8. */
function decoded(path: string): string | undefined {
  try {
    return decodeURIComponent(path);
  } catch {
    return undefined;
  }
}

/** Undefined if it leads above the root. */
function withoutDotSegments(path: string): string | undefined {
  const [, ...segments] = path.split('/');
  const found: string[] = [];
  for (const [at, segment] of segments.entries()) {
    const isLast = at === segments.length - 1;
    if (segment === '..' && found.pop() === undefined) return undefined;
    if (segment !== '.' && segment !== '..') found.push(segment);
    else if (isLast) found.push('');
  }
  return `/${found.join('/')}`;
}
