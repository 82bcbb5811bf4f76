import { TRAFFIC_REFERENCE } from '@tollgate/traffic';
import { code, table } from './markdown-table.ts';

/** The page about formats of recorded traffic: what tells what. */
export function trafficPage(): string {
  const { formats, named, variables, dialects } = TRAFFIC_REFERENCE;
  const formatRows = formats.map(({ name, title }) => [code(name), title]);
  const namedRows = Object.entries(named).map(([name, format]) => [code(name), code(format)]);
  const servers = Object.entries(variables).map(
    ([server, facts]) =>
      `### Of ${server}\n\n${table(
        ['variable', 'tells'],
        facts.map(([one, tells]) => [code(one), wordsOf(tells)]),
      )}`,
  );
  const names = Object.entries(dialects).map(([format, paths]) => `### Of ${code(format)}\n\n${dialectTable(paths)}`);
  return `# Formats of recorded traffic

Written by \`npm run generate\` from what the readers know; [the guide](../guide/recorded-traffic.md) tells how to use it.

${table(['`--traffic-format`', 'what'], formatRows)}
## Names of log formats

${table(['`--log-format`', 'stands for'], namedRows)}
## Variables of log formats

Beside these, variables for single headers and for places are read. All others are passed over.

${servers.join('\n')}
## Names of fields in JSON

The first that a record has counts; \`--fields\` and \`--mapping\` name others.

${names.join('\n')}`;
}

function wordsOf(slot: string): string {
  return slot.replaceAll(/[-_]/g, ' ');
}

function dialectTable(paths: Readonly<Record<string, readonly string[]>>): string {
  return table(
    ['field', 'names'],
    Object.entries(paths).map(([field, names]) => [code(field), names.map(code).join(', ')]),
  );
}
