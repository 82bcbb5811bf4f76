import { PROFILES, SWITCHES, type SwitchFact } from '@tollgate/catalog';
import { PROJECT_FIELDS } from '@tollgate/policy';
import { code, table } from './markdown-table.ts';

/** The page about project files: keys, open questions with their answers, sizes. */
export function settingsPage(): string {
  return `# The project file

Written by \`npm run generate\` from the catalog. \`tollgate.yaml\` holds for all policies in its directory and below. Its JSON Schema is
[\`project.schema.json\`](../../grammars/project.schema.json).

${table(
  ['key', 'what it is for'],
  PROJECT_FIELDS.map(({ name, doc }) => [code(name), doc]),
)}
## Open questions

What no source answers is a switch, under \`switches\`, with a default in each profile.

${Object.entries(SWITCHES).map(switchSection).join('\n')}
## Sizes

Under \`limits\`. Nothing of them is published; the defaults are the same in all profiles.

${table(['limit', 'what it bounds', 'default', 'at most'], limitRows())}`;
}

function switchSection([name, { doc, values }]: readonly [string, SwitchFact]): string {
  const rows = Object.entries(values).map(([value, meaning]) => [code(value), meaning, defaultsOf(name, value)]);
  return `### ${name}\n\n${doc}\n\n${table(['answer', 'meaning', 'default of'], rows)}`;
}

function defaultsOf(name: string, value: string): string {
  const having = PROFILES.filter(({ switches }) =>
    Object.entries(switches).some(pair => pair.join() === `${name},${value}`),
  );
  return having.map(profile => code(profile.name)).join(', ');
}

function limitRows(): readonly (readonly string[])[] {
  const limits = new Map(PROFILES.flatMap(profile => profile.limits).map(limit => [limit.name, limit]));
  return [...limits.values()].map(({ name, doc, value, most }) => [code(name), doc, shown(value), shown(most)]);
}

function shown(value: number): string {
  return value.toLocaleString('en');
}
