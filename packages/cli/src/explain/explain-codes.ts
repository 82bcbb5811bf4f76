import type { Paint } from '@tollgate/diagnostics';
import { jsonText } from '@tollgate/diagnostics';
import { LINT_RULES } from '@tollgate/lint';
import { CODE_PAGES, type CodePage } from '../codes/code-table.ts';
import { describeRule } from '../codes/rule-description.ts';
import { loadLinting } from '../lint/loading/load-linting.ts';
import { LoadedModules } from '../lint/loading/loaded-modules.ts';
import { EXIT, type ExitCode } from '../process/exit-code.ts';
import { reportStyle, type Terminal } from '../process/terminal.ts';
import { wrapText } from '../text/wrap-text.ts';
import { findPages } from './find-pages.ts';
import { markdownPage } from './markdown-page.ts';
import { terminalPage } from './terminal-page.ts';

/** The options of `tollgate explain`. */
export interface ExplainOptions {
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
  if (format === 'json')
    terminal.write(
      `${jsonText(
        found.flatMap(({ pages }) => pages.map(jsonOf)),
        2,
      )}\n`,
    );
  else {
    const texts = found.flatMap(({ kind, pages }) => {
      if (format === 'markdown') return pages.map(markdownPage);
      return kind === 'list' ? [listText(pages, look)] : pages.map(page => terminalPage(page, look));
    });
    terminal.write(texts.join('\n'));
  }
  return EXIT.clean;
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
