// A page for each code, with examples in the profile of new projects, and an index for each area.

import { MODERN } from '@tollgate/catalog';
import { CODE_PAGES } from '@tollgate/cli/codes';
import { type CodePage, markdownPage, pageIn, pageStatus } from '@tollgate/reports';
import { stringify } from 'yaml';
import { titleOf } from '../reference/area-pages.ts';
import { table } from '../reference/markdown-table.ts';
import { type SitePage, sitePage } from './site-page.ts';

const FOLDER = 'reference/codes';

/** Returns the pages of all codes, and their indexes. */
export function codePages(): readonly SitePage[] {
  const areas = [...Map.groupBy(CODE_PAGES, ({ code }) => areaOf(code))];
  const rows = areas.map(([area, codes]) => [`[\`${area}\`](${area}/index.md)`, titleOf(area), String(codes.length)]);
  const index = `# Codes and lint rules

Every finding and error of Tollgate has a code. The page of a code explains what it means and why it matters, with a bad and a good example;
\`npx tollgate explain CODE\` shows the same in the terminal.

${table(['area', 'about', 'codes'], rows)}`;
  return [sitePage(`${FOLDER}/index.md`, index), ...areas.flatMap(([area, codes]) => areaPages(area, codes))];
}

function areaPages(area: string, codes: readonly CodePage[]): readonly SitePage[] {
  const title = titleOf(area);
  const rows = codes.map(page => [`[\`${page.code}\`](${nameOf(page.code)}.md)`, page.summary, pageStatus(page)]);
  const index = `# ${title}\n\nThe codes of the area \`${area}\`; all areas are in the [index](../index.md).\n\n${table(['code', 'summary', ''], rows)}`;
  const description = `${title}: the codes of the area ${area}.`;
  return [sitePage(`${FOLDER}/${area}/index.md`, index, { description }), ...codes.map(onePage)];
}

function onePage(given: CodePage): SitePage {
  const page = pageIn(given, MODERN);
  const markdown = markdownPage(page, MODERN.name).replace('## ', '# ');
  return sitePage(`${FOLDER}/${areaOf(page.code)}/${nameOf(page.code)}.md`, markdown, {
    description: `${page.code}: ${page.summary}.`,
    ...(settingsFor(page) !== '{}\n' && { settings: settingsFor(page) }),
  });
}

/** Settings under which the linter reports this code and no others, and the policy is checked where the example is meant to run. */
function settingsFor({ code, rule, bad, good }: CodePage): string {
  const endpoint = bad?.endpoint ?? good?.endpoint;
  const profile = bad?.profile === good?.profile ? bad?.profile : undefined;
  // A rule about comments that silence others needs them.
  const presets = code.startsWith('meta/') ? ['recommended'] : [];
  const severity = rule?.severity === 'off' ? 'info' : rule?.severity;
  const lint = { extends: presets, rules: { [code]: { severity, ...rule?.bad.options } } };
  return stringify({
    ...(profile !== undefined && { profile }),
    ...(endpoint !== undefined && { endpoint }),
    ...(rule !== undefined && { lint }),
  });
}

function areaOf(code: string): string {
  return code.slice(0, code.indexOf('/'));
}

function nameOf(code: string): string {
  return code.slice(code.indexOf('/') + 1);
}
