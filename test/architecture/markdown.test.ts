import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { anchorOf, linksIn } from '../../scripts/site/site-page.ts';
import { filesBelow, ROOT } from './source-file.ts';

const documents = filesBelow('.', '.md').map(path => ({ path, text: readFileSync(join(ROOT, path), 'utf8') }));
const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { scripts: Record<string, string> };

function anchorsOf(text: string): string[] {
  return [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading]) => anchorOf(heading ?? ''));
}

describe('Markdown', () => {
  it('links only to files and headings that exist', () => {
    const broken = documents.flatMap(({ path, text }) =>
      linksIn(text).flatMap(link => {
        const [file = '', fragment] = link.split('#');
        const target = file === '' ? path : join(dirname(path), file);
        if (!existsSync(join(ROOT, target))) return [`${path}: ${link}`];
        if (fragment === undefined || !target.endsWith('.md')) return [];
        return anchorsOf(readFileSync(join(ROOT, target), 'utf8')).includes(fragment) ? [] : [`${path}: ${link}`];
      }),
    );
    expect(broken).toEqual([]);
  });

  it('names only source files that exist', () => {
    const files = execFileSync('git', ['ls-files'], { cwd: ROOT, encoding: 'utf8' }).split('\n');
    const exists = (name: string) => files.some(path => path === name || path.endsWith(`/${name}`));
    // Placeholders, and files of a reader's own project.
    const others = new Set(['NAME.ts', 'NAME.test.ts', 'x.test.ts', '/home/you/shop/rules/no-log.ts']);
    const missing = documents.flatMap(({ path, text }) =>
      [...text.matchAll(/`([\w./-]*[\w-]+\.ts)`/g)]
        .filter(([, name = '']) => !exists(name) && !others.has(name))
        .map(([, name]) => `${path}: ${name}`),
    );
    expect(missing).toEqual([]);
  });

  it('names only npm scripts that exist', () => {
    const missing = documents.flatMap(({ path, text }) =>
      [...text.matchAll(/npm run ([a-z][\w:-]*)/g)]
        .filter(([, script = '']) => !(script in scripts))
        .map(([command]) => `${path}: ${command}`),
    );
    expect(missing).toEqual([]);
  });

  it('keeps decision records to 40 lines', () => {
    const long = documents.filter(
      ({ path, text }) => path.startsWith('docs/decisions/0') && text.trim().split('\n').length > 40,
    );
    expect(long.map(({ path }) => path)).toEqual([]);
  });

  it('keeps the glossary to 60 entries, each explained once', () => {
    const glossary = documents.find(({ path }) => path === 'docs/glossary.md');
    const rows = [...(glossary?.text ?? '').matchAll(/^\| (.+?) \| .+ \|$/gm)].map(([, term = '']) => term);
    const terms = rows.filter(term => term !== 'term');
    expect(terms.length).toBeGreaterThan(0);
    expect(terms.length).toBeLessThanOrEqual(60);
    expect(new Set(terms).size).toBe(terms.length);
  });

  it('numbers decision records without gaps, and lists all of them in their index', () => {
    const names = filesBelow('docs/decisions', '.md').map(path => path.replace('docs/decisions/', ''));
    const records = names.filter(name => name !== 'README.md').sort();
    expect(records.map(name => Number(name.slice(0, 4)))).toEqual(records.map((_, index) => index + 1));
    const titleOf = (name: string) =>
      documents.find(({ path }) => path === `docs/decisions/${name}`)?.text.split('\n')[0];
    const index = documents.find(({ path }) => path === 'docs/decisions/README.md')?.text ?? '';
    const listed = [...index.matchAll(/^\| (\d+) \| \[(.*)\]\((.*)\) \|$/gm)].map(([, ...row]) => row);
    expect(listed.toSorted(([a], [b]) => Number(a) - Number(b))).toEqual(
      records.map((name, at) => [String(at + 1), titleOf(name)?.replace(/^# /, ''), name]),
    );
  });

  it('says of each decision that a newcomer reads first what would change it', () => {
    const index = readFileSync(join(ROOT, 'docs/decisions/README.md'), 'utf8').split('## All others')[0] ?? '';
    const first = [...index.matchAll(/\]\((0\d+[^)]*)\)/g)].map(([, name = '']) => name);
    const silent = first.filter(
      name => !readFileSync(join(ROOT, 'docs/decisions', name), 'utf8').includes('**What would change it:**'),
    );
    expect(first.length).toBeGreaterThan(15);
    expect(silent).toEqual([]);
  });
});

describe('the record of runtime dependencies', () => {
  it('lists exactly the libraries that manifests of packages name', () => {
    const record = readFileSync(join(ROOT, 'docs/decisions/0011-runtime-dependencies.md'), 'utf8');
    const listed = [...record.matchAll(/^\| (`.*?) \|/gm)].flatMap(([, cell = '']) =>
      [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name),
    );
    const named = readdirSync(join(ROOT, 'packages')).flatMap(name => {
      const { dependencies = {} } = JSON.parse(readFileSync(join(ROOT, 'packages', name, 'package.json'), 'utf8')) as {
        dependencies?: Record<string, string>;
      };
      return Object.keys(dependencies).filter(one => !one.startsWith('@tollgate/'));
    });
    // What comes with a library is named next to it.
    const brought = ['refa', 'pino'];
    expect(new Set(listed.filter(one => !brought.includes(one)))).toEqual(new Set(named));
  });
});
