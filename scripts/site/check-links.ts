// Checks the links of the built site, as a browser would follow them.

import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import { join, posix } from 'node:path';

/** Returns each link to a file or an anchor that does not exist, and each resource of another host, with its page. */
export function checkLinks(folder: string, base: string): readonly string[] {
  const pages = new Map(
    globSync('**/*.html', { cwd: folder, exclude: ['play/**'] }).map(path => [
      path,
      readFileSync(join(folder, path), 'utf8'),
    ]),
  );
  const anchors = new Map([...pages].map(([path, html]) => [path, anchorsIn(html)]));
  const problems: string[] = [];
  for (const [path, html] of pages) {
    for (const [, name, raw = ''] of html.matchAll(/<[a-z][^>]*?\s(href|src)="([^"]*)"/g)) {
      const link = raw.replaceAll('&amp;', '&');
      if (/^(?:data|mailto):/.test(link)) continue;
      if (/^(?:[a-z]+:)?\/\//.test(link)) {
        if (name === 'src') problems.push(`${path}: ${link} is on another host`);
        continue;
      }
      const [target = '', anchor] = link.split('#');
      const file =
        target === ''
          ? path
          : fileOf(folder, target.startsWith('/') ? inside(target, base) : posix.join(posix.dirname(path), target));
      if (file === undefined) problems.push(`${path}: ${link} does not exist`);
      else if (anchor && !file.startsWith('play/') && anchors.get(file)?.has(decodeURIComponent(anchor)) === false)
        problems.push(`${path}: ${link} has no such heading`);
    }
    for (const [, link = ''] of html.matchAll(/<(?:link|script)[^>]*?\s(?:href|src)="((?:https?:)?\/\/[^"]*)"/g))
      problems.push(`${path}: ${link} is on another host`);
  }
  return [...new Set(problems)];
}

function anchorsIn(html: string): ReadonlySet<string> {
  return new Set([...html.matchAll(/\s(?:id|name)="([^"]+)"/g)].map(([, id = '']) => id));
}

/** A path below the base of the site; another one is left as it is, and does not exist. */
function inside(target: string, base: string): string {
  return target.startsWith(base) ? target.slice(base.length) : `outside${target}`;
}

/** Returns the file that a web server sends; undefined if there is none. */
function fileOf(folder: string, target: string): string | undefined {
  const path = decodeURIComponent(target).split('?')[0]!;
  const candidates =
    path === '' || path.endsWith('/') || path === '.'
      ? [posix.join(path, 'index.html')]
      : [path, posix.join(path, 'index.html')];
  return candidates.find(one => existsSync(join(folder, one)) && statSync(join(folder, one)).isFile());
}
