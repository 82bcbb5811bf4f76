// `tollgate explain`: finds the pages of codes and prints them.

import { MODERN, type Profile } from '@tollgate/catalog';
import { nearest } from '@tollgate/cel/tooling';
import { jsonText, ownValue, type Paint } from '@tollgate/diagnostics';
import { CODES_BY_ID, LINT_RULES } from '@tollgate/lint';
import { type CodePage, describeRule, markdownPage, pageIn, terminalPage, wrapText } from '@tollgate/reports';
import { loadSettings } from '../input/load-settings.ts';
import { loadLinting } from '../lint/load-linting.ts';
import { LoadedModules } from '../lint/loaded-modules.ts';
import { CODE_PAGES } from '../output/code-table.ts';
import { EXIT, type ExitCode, UsageError } from '../process/exit-code.ts';
import { reportStyle, type Terminal } from '../process/terminal.ts';

/** The options of `tollgate explain`. */
interface ExplainOptions {
  readonly format: 'text' | 'markdown' | 'json';
}

/** Explains codes. Lists them if a word stands for several codes, or if there are no words. */
export async function explainCodes(
  words: readonly string[],
  { format }: ExplainOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  const needsOwn = words.length === 0 || words.some(word => !isBuiltIn(word));
  const all = needsOwn ? [...CODE_PAGES, ...(await ownPages(terminal))] : CODE_PAGES;
  const found = words.length === 0 ? [{ kind: 'list' as const, pages: all }] : words.map(word => findPages(word, all));
  const look = reportStyle(terminal);
  const profile = await profileInUse(terminal);
  if (format === 'json')
    terminal.write(
      `${jsonText(
        found.flatMap(({ pages }) => pages.map(jsonOf)),
        2,
      )}\n`,
    );
  else {
    const texts = found.flatMap(({ kind, pages }) => {
      if (format === 'markdown') return pages.map(page => markdownPage(pageIn(page, profile)));
      return kind === 'list' ? [listText(pages, look)] : pages.map(page => terminalPage(pageIn(page, profile), look));
    });
    terminal.write(texts.join('\n'));
  }
  return EXIT.clean;
}

/** The profile of the settings; without any, the one that `tollgate init` writes. */
async function profileInUse(terminal: Terminal): Promise<Profile> {
  const { settings } = await loadSettings({}, terminal);
  return settings.profile ?? MODERN;
}

/** Returns true for a code of Tollgate itself, which can be explained without settings. */
function isBuiltIn(word: string): boolean {
  return CODE_PAGES.some(({ code }) => code === word);
}

/** Returns the custom lint rules of the project. `tollgate lint` reports problems in its settings. */
async function ownPages(terminal: Terminal): Promise<readonly CodePage[]> {
  const modules = new LoadedModules();
  const { rules } = await loadLinting({}, terminal, modules).finally(modules.end);
  return rules.filter(rule => !LINT_RULES.includes(rule)).map(rule => ({ ...describeRule(rule), rule }));
}

/** Leaves out functions. */
function jsonOf({ rule, ...page }: CodePage): object {
  if (!rule) return page;
  const { check: _, id: __, ...facts } = rule;
  return { ...page, rule: facts };
}

/** Returns one line for each code. On a terminal, long summaries are wrapped. */
function listText(
  pages: readonly CodePage[],
  { paint, width = Number.POSITIVE_INFINITY }: { readonly paint: Paint; readonly width: number | undefined },
): string {
  const longest = Math.max(...pages.map(({ code }) => code.length));
  const room = Math.max(MIN_ROOM, width - longest - 2);
  const lines = pages.map(({ code, severity, summary }) => {
    const [first, ...others] = wrapText(summary, room);
    return [
      `${paint(severity, code.padEnd(longest))}  ${first}`,
      ...others.map(line => ' '.repeat(longest + 2) + line),
    ].join('\n');
  });
  return `${lines.join('\n')}\n`;
}

/** Minimum width of a readable column. */
const MIN_ROOM = 20;

/** The page of a code, or the codes of an area. */
interface FoundPages {
  readonly kind: 'page' | 'list';
  readonly pages: readonly CodePage[];
}

/**
 * Returns the pages for a code, a catalog id that stands for codes, the last part of a code, or an area. Throws a {@link UsageError} for
 * anything else.
 */
function findPages(word: string, all: readonly CodePage[]): FoundPages {
  const name = word.toLowerCase().replace(/^`|`$|\/\*?$/g, '');
  const exact = all.filter(({ code }) => code === name);
  if (exact.length > 0) return { kind: 'page', pages: exact };
  const others: readonly ((page: CodePage) => boolean)[] = [
    ({ code }) => ownValue(CODES_BY_ID, name)?.some(one => matches(code, one)) === true,
    ({ code }) => code.startsWith(`${name}/`),
    ({ code }) => code.endsWith(`/${name}`),
  ];
  for (const matches of others) {
    const pages = all.filter(matches);
    if (pages.length > 0) return { kind: pages.length === 1 ? 'page' : 'list', pages };
  }
  throw new UsageError(unknown(word, all));
}

function matches(code: string, pattern: string): boolean {
  return pattern.endsWith('/*') ? code.startsWith(pattern.slice(0, -1)) : code === pattern;
}

function unknown(word: string, all: readonly CodePage[]): string {
  const codes = all.map(({ code }) => code);
  const areas = new Set(codes.map(code => code.slice(0, code.indexOf('/'))));
  const closest = nearest(word.toLowerCase(), [...codes, ...areas]);
  const hint = closest === undefined ? 'run `tollgate explain` to list all codes' : `did you mean \`${closest}\`?`;
  return `unknown code \`${word}\`; ${hint}`;
}
