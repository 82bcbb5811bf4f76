import { DECISION_MEMBERS, type JsonMember, REPLAY_MEMBERS } from '@tollgate/cli/codes';
import { code, table } from './markdown-table.ts';

/** The page about the JSON of a replay: every member. */
export function replayPage(): string {
  return `# Replays in JSON

Written by \`npm run generate\` from what stands beside the code that prints it. \`tollgate replay --format json\` prints one document. Bounds are objects
with \`least\` and \`most\`, which are equal where a figure is certain. What is not known is left out. A policy with errors is not run: its
diagnostics are printed as \`tollgate check --format json\` does, with exit code 1.

${members(REPLAY_MEMBERS)}
## Decisions in JSON lines

\`tollgate replay --format ndjson\` prints a line for each exchange when it is decided, and a last line with \`kind\` \`summary\` and the members
of the document.

${members(DECISION_MEMBERS)}`;
}

function members(all: readonly JsonMember[]): string {
  return table(
    ['member', 'what it holds'],
    all.map(({ path, doc }) => [code(path), doc]),
  );
}
