import { TRACE_MEMBERS } from '@tollgate/cli/codes';
import { code, table } from './markdown-table.ts';

/** The page about the JSON of a trace: every member. */
export function tracePage(): string {
  return `# Traces in JSON

Written by \`npm run generate\` from what stands beside the code that prints it. \`tollgate trace --format json\` prints one document. An expression is
the part that is its whole; parts and changes have the same members wherever they occur, so that they stand here once. Offsets are of UTF-16
units, ranges half-open. A policy with errors is not traced: its diagnostics are printed as \`tollgate check --format json\` does, with exit code 1.

${table(
  ['member', 'what it holds'],
  TRACE_MEMBERS.map(({ path, doc }) => [code(path), doc]),
)}`;
}
