import { PROFILES, REFUSALS, SOURCE_DATES } from '@tollgate/catalog';
import { code, table } from './markdown-table.ts';

/** The page about refusals of the service: every documented number, with the codes that foretell it. */
export function refusalsPage(): string {
  const profile = PROFILES.at(-1)!;
  return `# Refusals of the service

Written by \`npm run generate\` from the catalog. The service refuses some policies when they are published, and names the reason by a number,
such as \`ERR_NGROK_2207\`. Tollgate foretells them: the codes below report the same fact, and \`tollgate explain CODE\` shows the numbers of a
code. Reports hold the number of a single finding where a code has several: as \`args.refusal\` in JSON, and as the property \`serviceError\`
in SARIF. The list was read from the documentation of the profile \`${profile.name}\` on ${SOURCE_DATES[profile.name]}.

${table(['number', 'refused when', 'foretold by', 'limits'], REFUSALS.map(rowOf))}`;
}

function rowOf({ number, when, codes, limits }: (typeof REFUSALS)[number]): readonly string[] {
  const foretold = codes.length === 0 ? 'not foretold' : codes.map(linked).join(', ');
  return [code(String(number)), when, foretold, limits ?? ''];
}

/** `area/*` stands for a page. */
function linked(name: string): string {
  const [area, rest = ''] = name.split('/');
  const anchor = rest === '*' ? '' : `#${area}${rest}`;
  return `[${code(name)}](codes/${area}.md${anchor})`;
}
